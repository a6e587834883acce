import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from './config.ts';
import { configSchema } from './config-schema.ts';
import { HOWLER_KEYS, readHowlerConfig } from './howler-config.ts';
import { listSettings } from './setting-list.ts';

/** Every key of a `config.yml` of Howler 4.1 (contract/alert.md section 9.3). */
const KEYS_OF_HOWLER = `
auth: allow_apikeys allow_extended_apikeys hmac_secret_key max_apikey_duration_amount max_apikey_duration_unit
auth.internal: enabled failure_ttl max_failures
auth.internal.password_requirements: lower number special upper min_length
auth.oauth: enabled gravatar_enabled strict_apikeys providers
auth.oauth.providers.<name>: auto_create auto_sync auto_properties uid_randomize uid_randomize_digits uid_randomize_delimiter
auth.oauth.providers.<name>: uid_regex uid_format client_id client_secret request_token_url request_token_params
auth.oauth.providers.<name>: required_groups role_map access_token_url access_token_params authorize_url authorize_params
auth.oauth.providers.<name>: api_base_url audience scope picture_url groups_url groups_key iss jwks_uri user_get
core: plugins
core.telemetry: enabled backend
core.redis.nonpersistent: host port password tls_enabled tls_ca_cert tls_disable_check_hostname is_cluster
core.redis.persistent: host port password tls_enabled tls_ca_cert tls_disable_check_hostname is_cluster
core.clue: enabled url status_checks
core.notebook: enabled scope url
datastore: type max_request_size request_batch_size hosts
datastore.hosts[]: name username password apikey_id apikey_secret scheme host fingerprint
datastore.ilm: enabled rollover_max_age rollover_max_size indices
datastore.ilm.indices.<name>: enabled warm warm_forcemerge_segments cold
logging: log_level log_to_console log_to_file log_directory log_to_syslog syslog_host syslog_port export_interval log_as_json
system: type encryption_key
system.retention: enabled limit_unit limit_amount crontab rules
system.retention.rules[]: name enabled query limit_unit limit_amount
system.view_cleanup: enabled crontab
system.correlation: enabled batch_size batch_timeout
system.action_queue: enabled batch_size batch_timeout
ui: audit debug static_folder discover_url enforce_quota secret_key validate_session_ip validate_session_useragent websocket_url
discovery: url enabled`
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [section = '', names = ''] = line.split(': ');
    return names.split(' ').map((name) => `${section}.${name}`);
  });

/** Keys that become others: `datastore.hosts[].url`, `coordination.url`. */
const TRANSLATED = /^datastore\.hosts\[\]\.(scheme|host)$|^core\.redis\.persistent\.(host|port|password|tls_enabled)$/;

const FILE = `
auth:
  hmac_secret_key: secret
  internal: { enabled: true, max_failures: 7 }
  oauth:
    enabled: true
    providers:
      keycloak:
        authorize_params: prompt=login
        client_kwargs: { scope: openid }
        scope: openid
        jwks_uri: https://id.example.org/certs
core:
  alfred: { enabled: false }
  plugins: []
  redis:
    nonpersistent: { host: cache, port: 6379 }
    persistent: { host: redis, port: 6379, password: "p@ss", tls_enabled: true, is_cluster: false }
datastore:
  ilm: { enabled: true, indexes: {}, indices: { hit: { warm: 30d } } }
  hosts:
    - { name: main, scheme: https, host: "search:9200", username: elastic, password: devpass }
mapping: { source.ip: ip, host.ip: ip }
`;

describe('a configuration folder of Howler', () => {
  it('has only keys that are known', () => {
    const known = new Set(listSettings(configSchema).map(({ key }) => key));
    const explained = (key: string) => Object.keys(HOWLER_KEYS).some((one) => key === one || key.startsWith(`${one}.`));
    assert.ok(KEYS_OF_HOWLER.length > 120);
    assert.deepEqual(
      KEYS_OF_HOWLER.filter((key) => !known.has(key) && !TRANSLATED.test(key) && !explained(key)),
      [],
    );
  });

  it('is used under the keys of this program, and what has no meaning is listed', () => {
    const config = load({ 'config.yml': FILE });
    assert.equal(config.auth.internal.max_failures, 7);
    assert.deepEqual(config.auth.oauth.providers.keycloak?.authorize_params, { prompt: 'login' });
    assert.deepEqual(
      [config.datastore.type, config.datastore.index_prefix, config.datastore.ilm.indices.hit?.warm],
      ['elasticsearch', 'howler', '30d'],
    );
    const [host] = config.datastore.hosts;
    assert.deepEqual([host?.url, host?.name, host?.password], ['https://search:9200', 'main', 'devpass']);
    assert.deepEqual([config.coordination.type, config.coordination.url], ['redis', 'rediss://:p%40ss@redis:6379']);
    assert.deepEqual([...config.ignored_settings].sort(), [
      'auth.hmac_secret_key',
      'auth.oauth.providers.keycloak.client_kwargs',
      'core.alfred',
      'core.plugins',
      'core.redis.nonpersistent',
      'core.redis.persistent.is_cluster',
      'datastore.ilm.indexes',
    ]);
  });

  it('gives way to the settings of this program', () => {
    const environment = { SVC_COORDINATION_TYPE: 'embedded', SVC_DATASTORE_INDEX_PREFIX: 'own' };
    const config = load({ 'config.yml': `${FILE}\nhttp: { metrics_prefix: howler }\n` }, environment);
    assert.equal(config.coordination.type, 'embedded');
    assert.equal(config.datastore.index_prefix, 'own');
    assert.equal(config.http.metrics_prefix, 'howler');
  });

  it('has variables that win over its file', () => {
    const config = load(
      { 'config.yml': FILE },
      {
        HWL_CORE__REDIS__PERSISTENT__HOST: 'other',
        HWL_DATASTORE__HOSTS: '[{"name": "elastic", "host": "node:9200"}]',
        HWL_DATASTORE_INDEX_PREFIX: 'soc',
        HWL_SYSTEM__TYPE: 'production',
        HWL_USE_REST_API: 'true',
      },
    );
    assert.equal(config.coordination.url, 'rediss://:p%40ss@other:6379');
    assert.equal(config.datastore.hosts[0]?.url, 'http://node:9200');
    assert.equal(config.datastore.index_prefix, 'soc');
    assert.equal(config.system.type, 'production');
    assert.ok(config.ignored_settings.includes('HWL_USE_REST_API'));
  });

  it('has a mappings.yml that replaces the mapping of its config.yml', () => {
    const config = load({ 'config.yml': FILE, 'mappings.yml': 'mapping: { source.ip: ipv4 }' });
    assert.deepEqual(config.mapping, { 'source.ip': 'ipv4' });
  });

  it('has its classification and lists also beside conf', () => {
    const above = mkdtempSync(join(tmpdir(), 'howler-'));
    const folder = join(above, 'conf');
    mkdirSync(folder);
    writeFileSync(join(folder, 'config.yml'), FILE);
    writeFileSync(join(above, 'classification.yml'), 'enforce: false');
    const config = loadConfig({ environment: { SVC_CONF_FOLDER: folder } });
    assert.equal(config.classification?.path, join(above, 'classification.yml'));
    assert.equal(config.lookup_folder, join(above, 'lookups'));
    const named = { SVC_CONF_FOLDER: folder, HWL_CLASSIFICATION_PATH: join(above, 'missing.yml') };
    assert.throws(() => loadConfig({ environment: named }), { message: /HWL_CLASSIFICATION_PATH.*does not exist/ });
  });

  it('is refused for an unknown top-level key, and for a value that is not allowed', () => {
    assert.throws(() => load({ 'config.yml': `${FILE}\nrandom: 1` }), { code: 'unknown_setting', message: /random/ });
    const system = '\nsystem: { type: prod }';
    assert.throws(() => load({ 'config.yml': FILE + system }), { code: 'invalid_setting', message: /system\.type/ });
  });

  it('is only one with a key that Howler alone has', () => {
    assert.equal(readHowlerConfig({ ui: { audit: false, potato: 1 } }, configSchema), undefined);
    assert.throws(() => load({ 'config.yml': 'ui: { potato: 1 }' }), { code: 'unknown_setting' });
    assert.deepEqual(readHowlerConfig({ ui: { debug: true, potato: 1 } }, configSchema), {
      values: { ui: {} },
      ignored: ['ui.debug', 'ui.potato'],
    });
  });
});

function load(files: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'howler-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return loadConfig({ environment: { SVC_CONF_FOLDER: folder, ...environment } });
}
