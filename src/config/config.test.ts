import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from './config.ts';
import { nextTime } from './crontab.ts';

/** A configuration folder with these files. */
const folderWith = (files: Record<string, string>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};
const load = (
  environment: Record<string, string> = {},
  files: Record<string, string> = {},
  flags: Record<string, unknown> = {},
) => loadConfig({ environment: { SVC_CONF_FOLDER: folderWith(files), ...environment }, flags });
const refusal = (code: string, message: RegExp) => ({ code, message });

describe('loadConfig', () => {
  it('has a default for everything', () => {
    const config = load();
    assert.equal(config.host, '127.0.0.1');
    assert.deepEqual(
      [config.web.port, config.alerts.port, config.analysis.port, config.enrichment.port],
      [8080, 5000, 5001, 5002],
    );
    assert.equal(config.datastore.type, 'embedded');
    assert.equal(config.datastore.index_prefix, 'svc');
    assert.deepEqual(
      config.datastore.hosts.map((host) => [host.name, host.url]),
      [['elastic', 'http://127.0.0.1:9200']],
    );
    assert.equal(config.auth.internal.password_requirements.min_length, 12);
    assert.equal(config.auth.users_without_access_control, 'computed');
    assert.equal(config.datastore.ilm.rollover_max_age, '30d');
    assert.equal(config.migration.stale_claim_timeout, 14_400);
    assert.deepEqual(config.mapping, {});
    assert.equal(config.classification, undefined);
  });

  it('takes flags before variables before files before defaults', () => {
    const files = { 'config.yml': 'alerts: { port: 1 }\nanalysis: { port: 1 }\nenrichment: { port: 1 }' };
    const config = load({ SVC_ALERTS_PORT: '2', SVC_ANALYSIS_PORT: '2' }, files, { 'alerts.port': 3 });
    assert.deepEqual(
      [config.alerts.port, config.analysis.port, config.enrichment.port, config.web.port],
      [3, 2, 1, 8080],
    );
  });

  it('reads every kind of value from a variable', () => {
    const config = load({
      SVC_DATASTORE_TYPE: 'OpenSearch',
      SVC_DATASTORE_HOSTS: 'http://one:9200, https://two:9200',
      SVC_DATASTORE_ILM_ENABLED: 'true',
      SVC_DATASTORE_ILM_INDICES_HIT_WARM: '30d',
      SVC_DATASTORE_ILM_INDICES_USER_AVATAR_WARM_FORCEMERGE_SEGMENTS: '1',
      SVC_DATASTORE_TRANSPORT_TIMEOUT: '2.5',
      SVC_UI_AUDIT: 'no',
      SVC_CORE_CLUE_STATUS_CHECKS: 'one,two',
      SVC_MAPPING: '{"source.ip": "ip"}',
      SVC_SYSTEM_RETENTION_RULES: '[{"name": "old", "query": "*:*", "limit_amount": 3}]',
      SVC_COORDINATION_URL: '',
    });
    assert.equal(config.datastore.type, 'opensearch');
    assert.deepEqual(
      config.datastore.hosts.map((host) => host.url),
      ['http://one:9200', 'https://two:9200'],
    );
    assert.equal(config.datastore.ilm.enabled, true);
    assert.equal(config.datastore.ilm.indices.hit?.warm, '30d');
    assert.equal(config.datastore.ilm.indices.hit?.warm_forcemerge_segments, 3);
    assert.equal(config.datastore.ilm.indices.user_avatar?.warm_forcemerge_segments, 1);
    assert.equal(config.datastore.transport_timeout, 2.5);
    assert.equal(config.ui.audit, false);
    assert.deepEqual(config.core.clue.status_checks, ['one', 'two']);
    assert.deepEqual(config.mapping, { 'source.ip': 'ip' });
    assert.deepEqual(config.system.retention.rules, [
      { name: 'old', query: '*:*', limit_amount: 3, enabled: true, limit_unit: 'days' },
    ]);
    assert.equal(config.coordination.url, 'redis://127.0.0.1:6379');
  });

  it('reads components, crontabs and time zones', () => {
    const { components } = load({});
    assert.deepEqual(components, ['http', 'sockets', 'workers', 'jobs']);
    const environment = {
      SVC_COMPONENTS: 'JOBS, workers',
      SVC_SYSTEM_RETENTION_CRONTAB: ' 30 2 * * mon-fri ',
      SVC_SYSTEM_TIME_ZONE: 'America/Toronto',
    };
    const config = load(environment);
    assert.deepEqual(config.components, ['jobs', 'workers']);
    const { time_zone: timeZone, retention } = config.system;
    // A Friday in the summer, and the end of the summer time.
    const next = (from: string) => nextTime(retention.crontab, timeZone, new Date(from))?.toISOString();
    assert.equal(next('2026-07-03T12:00:00Z'), '2026-07-06T06:30:00.000Z');
    assert.equal(next('2026-10-30T12:00:00Z'), '2026-11-02T07:30:00.000Z');
  });

  it('reads mappings.yml and classification.yml beside config.yml', () => {
    const config = load(
      {},
      {
        'config.yml': 'datastore:\n  hosts: [{ name: main, url: "https://search:9200" }]\nfiles:\n',
        'mappings.yml': 'mapping: { source.ip: ip }',
        'classification.yml': 'levels: []',
      },
    );
    assert.equal(config.datastore.hosts[0]?.name, 'main');
    assert.deepEqual(config.mapping, { 'source.ip': 'ip' });
    assert.equal(config.files.type, 'local');
    assert.equal(config.classification?.text, 'levels: []');
    assert.match(config.classification?.path ?? '', /classification\.yml$/);
  });

  it('takes the last of repeated keys of mappings.yml, and refuses them in config.yml', () => {
    const repeated = 'mapping:\n  source.ip: one\n  host.ip: ip\n  source.ip: two\n';
    assert.deepEqual(load({}, { 'mappings.yml': repeated }).mapping, { 'source.ip': 'two', 'host.ip': 'ip' });
    assert.throws(
      () => load({}, { 'config.yml': repeated }),
      refusal('invalid_setting', /config\.yml is not valid YAML/),
    );
  });

  it('ignores and names the variables that orchestrators set for a service', () => {
    const injected = {
      SVC_SERVICE_HOST: '10.0.0.1',
      SVC_SERVICE_PORT: '80',
      SVC_SERVICE_PORT_HTTP: '80',
      SVC_PORT: 'tcp://10.0.0.1:80',
      SVC_PORT_80_TCP: 'tcp://10.0.0.1:80',
      SVC_PORT_80_TCP_ADDR: '10.0.0.1',
      SVC_ALERTS_SERVICE_HOST: '10.0.0.2',
      SVC_ALERTS_PORT: 'tcp://10.0.0.2:5000',
      SVC_ALERTS_PORT_5000_TCP_PROTO: 'tcp',
    };
    const config = load(injected);
    assert.equal(config.alerts.port, 5000);
    assert.deepEqual(config.ignored_variables, Object.keys(injected));
    assert.deepEqual(load({ SVC_ALERTS_PORT: '7000' }).ignored_variables, []);
    assert.throws(() => load({ SVC_ALERTS_PORT: 'many' }), refusal('invalid_setting', /alerts\.port/));
    assert.throws(() => load({ SVC_PORTS: '80' }), refusal('unknown_setting', /SVC_PORTS/));
  });

  it('takes credentials of hosts from variables of their name', () => {
    const files = {
      'config.yml': 'datastore: { hosts: [{ name: my-cluster, url: "https://search:9200", username: x }] }',
    };
    const environment = { MY_CLUSTER_HOST_APIKEY_ID: 'id', MY_CLUSTER_HOST_APIKEY_SECRET: 'secret' };
    const [host] = load(environment, files).datastore.hosts;
    assert.deepEqual([host?.apikey_id, host?.apikey_secret, host?.username], ['id', 'secret', 'x']);
    const [usual] = load({ ELASTIC_HOST_USERNAME: 'me', ELASTIC_HOST_PASSWORD: 'secret' }).datastore.hosts;
    assert.deepEqual([usual?.username, usual?.password], ['me', 'secret']);
  });

  it('takes shards and replicas from the variables of the public system, under its own', () => {
    const environment = {
      ELASTIC_DEFAULT_SHARDS: '2',
      ELASTIC_DEFAULT_REPLICAS: '1',
      ELASTIC_HIT_SHARDS: '5',
      ELASTIC_USER_AVATAR_REPLICAS: '0',
      SVC_DATASTORE_INDEX_SHAPES_HIT_REPLICAS: '3',
      SVC_DATASTORE_REPLICAS: '4',
    };
    const { shards, replicas, index_shapes } = load(environment).datastore;
    assert.deepEqual([shards, replicas], [2, 4]);
    assert.deepEqual(index_shapes, { hit: { shards: 5, replicas: 3 }, user_avatar: { shards: null, replicas: 0 } });
    assert.throws(() => load({ ELASTIC_HIT_SHARDS: 'many' }), {
      code: 'invalid_setting',
      message: /ELASTIC_HIT_SHARDS/,
    });
  });

  const unknown: readonly (readonly [string, Parameters<typeof load>, RegExp])[] = [
    [
      'a key of config.yml',
      [{}, { 'config.yml': 'datastor: 1' }],
      /config\.yml: datastor is not a setting\. Did you mean datastore\? docs\/configuration\.md lists all settings\.$/,
    ],
    [
      'a nested key of config.yml',
      [{}, { 'config.yml': 'datastore: { ilm: { enable: true } }' }],
      /datastore\.ilm\.enable is not a setting\. Did you mean datastore\.ilm\.enabled\?/,
    ],
    [
      'a key of mappings.yml',
      [{}, { 'mappings.yml': 'host: x' }],
      /mappings\.yml: host is not known there\. Allowed: mapping/,
    ],
    [
      'a variable',
      [{ SVC_ALERT_PORT: '1' }],
      /variable SVC_ALERT_PORT is not a setting\. Did you mean SVC_ALERTS_PORT\? docs\/configuration\.md lists all settings\.$/,
    ],
    [
      'a variable that is like none',
      [{ SVC_SOMETHING_ELSE: '1' }],
      /variable SVC_SOMETHING_ELSE is not a setting\. docs\/configuration\.md lists all settings\.$/,
    ],
    ['a flag', [{}, {}, { 'alerts.prt': 1 }], /command line \(alerts\.prt\): alerts\.prt is not a setting/],
    [
      'a key of a list item',
      [{ SVC_SYSTEM_RETENTION_RULES: '[{"nam": 1}]' }],
      /system\.retention\.rules\[0\]\.nam is not a setting/,
    ],
    ['a prototype', [{}, {}, { '__proto__.x': 1 }], /__proto__ is not a setting/],
  ];
  for (const [what, parameters, message] of unknown) {
    it(`refuses ${what} that it does not know`, () =>
      assert.throws(() => load(...parameters), refusal('unknown_setting', message)));
  }

  const invalid: readonly (readonly [string, Parameters<typeof load>, RegExp])[] = [
    [
      'a number out of range',
      [{ SVC_WEB_PORT: '70000' }],
      /variable SVC_WEB_PORT: web\.port must be a whole number from 0 to 65535\. "70000"/,
    ],
    [
      'a fraction of a whole number',
      [{}, { 'config.yml': 'web: { port: 1.5 }' }],
      /config\.yml: web\.port must be a whole number/,
    ],
    [
      'a choice that is not offered',
      [{ SVC_DATASTORE_TYPE: 'mongo' }],
      /must be one of embedded, elasticsearch, opensearch/,
    ],
    ['a flag that is none', [{ SVC_UI_AUDIT: 'perhaps' }], /ui\.audit must be true or false/],
    ['an age without a unit', [{ SVC_DATASTORE_ILM_ROLLOVER_MAX_AGE: '30' }], /an age such as 30d or 12h/],
    ['a text for a section', [{}, { 'config.yml': 'auth: yes' }], /auth must be a mapping/],
    [
      'a rule without a query',
      [{ SVC_SYSTEM_RETENTION_RULES: '[{"name": "x"}]' }],
      /system\.retention\.rules\[0\]\.query is missing/,
    ],
    [
      'an address without a scheme',
      [{ SVC_AUTH_OAUTH_PROVIDERS_IDP_DISCOVERY_URL: 'id.example.org/realms/soc' }],
      /discovery_url must be an address that starts with http:\/\/ or https:\/\/, or null\./,
    ],
    [
      'a crontab without all fields',
      [{}, { 'config.yml': 'system: { retention: { crontab: "0 0 * *" } }' }],
      /config\.yml: system\.retention\.crontab must be a crontab of five fields .*\. "0 0 \* \*" is not allowed\.$/,
    ],
    ['a crontab out of range', [{ SVC_SYSTEM_RETENTION_CRONTAB: '61 0 * * *' }], /must be a crontab.*"61 0 \* \* \*"/],
    [
      'a crontab that names no time',
      [{ SVC_SYSTEM_VIEW_CLEANUP_CRONTAB: '0 0 31 2 *' }],
      /that names a time in the future\./,
    ],
    [
      'a crontab that is no string',
      [{}, { 'config.yml': 'system: { retention: { crontab: 5 } }' }],
      /crontab must be a crontab/,
    ],
    [
      'an unknown time zone',
      [{ SVC_SYSTEM_TIME_ZONE: 'Mars/Olympus' }],
      /must be a name of the time zone database.*"Mars\/Olympus"/,
    ],
    [
      'an unknown component',
      [{ SVC_COMPONENTS: 'http,job' }],
      /components\[1\] must be one of http, sockets, workers, jobs\. "job"/,
    ],
    [
      'a process without components',
      [{}, { 'config.yml': 'components: []' }],
      /components must be a list of http, sockets, workers, jobs/,
    ],
    ['broken YAML', [{}, { 'config.yml': 'a: [' }], /config\.yml is not valid YAML.*line 1/s],
    ['a file that is a list', [{}, { 'config.yml': '[1]' }], /config\.yml must be a mapping/],
    [
      'a folder that is not there',
      [{ SVC_CONF_FOLDER: '/no/such/folder' }],
      /SVC_CONF_FOLDER: the folder \/no\/such\/folder does not exist/,
    ],
  ];
  for (const [what, parameters, message] of invalid) {
    it(`refuses ${what}`, () => assert.throws(() => load(...parameters), refusal('invalid_setting', message)));
  }

  const secrets = [
    ['datastore: { hosts: [{ url: "http://search", password: [hunter2] }] }', /password must be a string/],
    ['enrichment: { api_keys: { robot: [hunter2] } }', /api_keys\.robot must be a secret/],
    ['enrichment: { api_keys: [hunter2] }', /api_keys must be a mapping/],
  ] as const;
  for (const [file, message] of secrets) {
    it(`keeps secrets out of messages: ${file}`, () => {
      assert.throws(
        () => load({}, { 'config.yml': file }),
        (error: Error) => message.test(error.message) && !error.message.includes('hunter2'),
      );
    });
  }
});
