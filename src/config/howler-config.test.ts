import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from './config.ts';
import { configSchema } from './config-schema.ts';
import { HOWLER_KEYS, readHowlerConfig } from './howler-config.ts';
import { listSettings } from './setting-list.ts';

/** Every key of a `config.yml` of Howler 4.1, which test/drop-in compares with its models. */
const KEYS_OF_HOWLER = readFileSync(join(import.meta.dirname, '../../test/drop-in/config-keys.txt'), 'utf8')
  .trim()
  .split('\n');

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
        HWL_AUTH: '{"internal": {"enabled": false}}',
        HWL_INTERPOD_COMMS_SECRET: 'shared',
        HWL_UI__AUDIT: '',
        HWL_USE_REST_API: 'true',
        SCHEDULER_TZ: 'America/Toronto',
      },
    );
    assert.deepEqual([config.auth.internal.enabled, config.auth.internal.max_failures], [false, 7]);
    assert.equal(config.alerts.emit_secret, 'shared');
    assert.equal(config.system.time_zone, 'America/Toronto');
    assert.equal(config.ui.audit, true);
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

  it('is refused for a value that cannot be translated, under the key of Howler', () => {
    const server = (value: string) => `core: { redis: { persistent: ${value} } }`;
    const node = (value: string) => `datastore: { hosts: [{ name: a, host: "a:9200" }, { name: b, ${value} }] }`;
    const refused: readonly (readonly [string, RegExp])[] = [
      [server('redis:6379'), /config\.yml: core\.redis\.persistent must be a mapping/],
      [server('{ port: redis }'), /core\.redis\.persistent\.port must be a whole number from 1 to 65535/],
      [server('{ host: "redis/1" }'), /core\.redis\.persistent\.host must be the name of a host/],
      [server('{ tls_enabled: maybe }'), /core\.redis\.persistent\.tls_enabled must be true or false/],
      ['core: { redis: [redis], plugins: [] }', /core\.redis must be a mapping/],
      [node('host: ~'), /datastore\.hosts\[1\]\.host must be a host with its port/],
      [node('host: "a:9200", scheme: ftp'), /datastore\.hosts\[1\]\.scheme must be one of http, https/],
      ['core: 5', /core must be a mapping/],
      ['core: { plugins: [] }\nauth: { internal: yes }', /auth\.internal must be a mapping/],
    ];
    for (const [text, message] of refused) {
      assert.throws(() => load({ 'config.yml': text }), { code: 'invalid_setting', message }, text);
    }
    assert.throws(() => load({}, { SCHEDULER_TZ: 'Mars/Olympus' }), {
      message: /config\.yml with SCHEDULER_TZ: system\.time_zone must be .*America\/Toronto/,
    });
  });

  it('does not show secrets of a value that is refused', () => {
    const environment = { HWL_DATASTORE__HOSTS: '[{"name": "a", "password": "s3cret"' };
    const check = (error: Error) => /datastore\.hosts must be/.test(error.message) && !/s3cret/.test(error.message);
    assert.throws(() => load({}, environment), check);
    assert.throws(
      () => load({ 'config.yml': 'core: { redis: { persistent: { password: [s3cret] } } }' }),
      (error: Error) => /persistent\.password must be/.test(error.message) && !/s3cret/.test(error.message),
    );
  });

  it('is only one with a key that Howler alone has', () => {
    assert.equal(readHowlerConfig({ ui: { audit: false, potato: 1 } }, configSchema, 'config.yml'), undefined);
    assert.throws(() => load({ 'config.yml': 'ui: { potato: 1 }' }), { code: 'unknown_setting' });
    assert.deepEqual(readHowlerConfig({ ui: { debug: true, potato: 1 } }, configSchema, 'config.yml'), {
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
