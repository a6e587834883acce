import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { pythonWith, runPython } from '../clients/python-clients.ts';
import { clusterFixture, SLOW_SERVER_TIMEOUT } from '../cluster/cluster-fixture.ts';

const PREFIX = `dropin${randomUUID().slice(0, 8)}`;
/** Names that the public system's generator picks tactics and techniques from. */
const ICONS = ['TA0001.svg', 'TA0002.svg', 'T1059.svg', 'T1566.svg'];

const METRICS = [
  ...['howler_http_requests_total', 'howler_auth_success_total', 'howler_auth_fail_total', 'howler_created_hits_total'],
  ...['howler_deleted_hits_total', 'howler_created_events_total', 'howler_created_cases_total'],
];

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;

describe('on the Elasticsearch of the public alert service', async () => {
  const server = outsideServer('elasticsearch8');
  const redis = outsideServer('redis');
  const reason = server.unavailable ?? redis.unavailable;
  if (reason !== undefined) {
    it('drop-in: not run', { skip: reason });
    return;
  }
  const found = await pythonWith(join(import.meta.dirname, 'requirements.txt'), 'howler-api');
  if ('reason' in found) {
    it('drop-in: not run', { skip: found.reason });
    return;
  }

  const fixture = clusterFixture('elasticsearch', server.url, PREFIX);
  let folder = '';
  let program: SpawnedProgram | undefined;
  const python = (args: readonly string[]) =>
    runPython(found.python, args, {
      timeout: 600_000,
      environment: { APP_NAME: 'howler', HWL_CONF_FOLDER: folder, HWL_DATASTORE_INDEX_PREFIX: PREFIX },
    });
  const ask = async (path: string, options: { method?: string; json?: unknown; headers?: object } = {}) => {
    const answer = await fetch(`${program?.alerts}${path}`, {
      method: options.method ?? 'GET',
      headers: {
        authorization: `Basic ${btoa('admin:devkey:admin')}`,
        'content-type': 'application/json',
        ...options.headers,
      },
      ...(options.json === undefined ? {} : { body: JSON.stringify(options.json) }),
    });
    const body = (await answer.json()) as Json;
    return {
      status: answer.status,
      body: body.api_response,
      etag: answer.headers.get('etag'),
      error: body.api_error_message,
    };
  };

  const put = async (url: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, await answer.text());
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'drop-in-'));
    await mkdir(join(folder, 'static', 'mitre'), { recursive: true });
    for (const icon of ICONS) await writeFile(join(folder, 'static', 'mitre', icon), '<svg/>');
    const { hostname, port } = new URL(redis.url);
    await writeFile(
      join(folder, 'config.yml'),
      JSON.stringify({
        datastore: {
          hosts: [
            { name: 'elastic', scheme: 'http', host: new URL(server.url).host, username: 'elastic', password: 'none' },
          ],
        },
        core: {
          redis: {
            nonpersistent: { host: hostname, port: Number(port) },
            persistent: { host: hostname, port: Number(port) },
          },
        },
        system: { type: 'staging', correlation: { batch_size: 50 }, action_queue: { batch_timeout: 5 } },
        ui: { static_folder: join(folder, 'static') },
      }),
    );
    await writeFile(join(folder, 'mappings.yml'), 'mapping:\n  source.ip: ip\n');
    // The generator waits for a refresh after every record: minutes, with the usual second between two of them.
    const template = `${server.url}/_index_template/${PREFIX}-quick`;
    const body = { index_patterns: [`${PREFIX}-*`], template: { settings: { 'index.refresh_interval': '20ms' } } };
    await put(template, body);
    await python(['-m', 'howler.odm.random_data', 'all']);
    await fetch(template, { method: 'DELETE' });
    await put(`${server.url}/${PREFIX}-*/_settings`, { 'index.refresh_interval': null });
    program = await spawnProgram({
      environment: {
        // The folder that the public system was filled with names the engine and Redis.
        SVC_CONF_FOLDER: folder,
        HWL_DATASTORE_INDEX_PREFIX: PREFIX,
        SCHEDULER_TZ: 'America/Toronto',
        SVC_HTTP_METRICS_PREFIX: 'howler',
        SVC_DATASTORE_TRANSPORT_TIMEOUT: String(SLOW_SERVER_TIMEOUT),
      },
    });
  });
  after(async () => {
    await program?.stop();
    await rm(folder, { recursive: true, force: true });
    await fixture.clear();
  });

  it('starts with its configuration and warns once, of keys without a meaning', async () => {
    const warnings = (program?.log ?? []).filter((line) => line.includes('settings of Howler without a meaning'));
    assert.deepEqual(
      warnings.map((line) => (JSON.parse(line) as Json).settings),
      [['core.redis.nonpersistent', 'ui.static_folder']],
    );
    const { configuration } = (await ask('/api/v1/configs')).body;
    assert.deepEqual([configuration.system.type, configuration.mapping], ['staging', { 'source.ip': 'ip' }]);
    const metrics = await (await fetch(`${program?.alerts}/metrics`)).text();
    for (const name of METRICS) assert.match(metrics, new RegExp(`^# TYPE ${name} counter$`, 'm'));
    assert.match(metrics, /^howler_http_requests_total\{method="GET",path="\/api\/v1\/configs\/",status="200"\} 1$/m);
  });

  it('signs its users in with their passwords and keys, which are bcrypt hashes', async () => {
    for (const login of [
      { user: 'admin', apikey: 'devkey:admin' },
      { user: 'admin', password: 'admin' },
      { user: 'user', apikey: 'devkey:user' },
    ]) {
      const { status, body } = await ask('/api/v1/auth/login/', { method: 'POST', json: login });
      assert.equal(status, 200, JSON.stringify(login));
      const answer = await fetch(`${program?.alerts}/api/v1/user/whoami/`, {
        headers: { authorization: `Bearer ${body.app_token}` },
      });
      assert.equal(((await answer.json()) as Json).api_response.username, login.user);
    }
    const wrong = await ask('/api/v1/auth/login/', { method: 'POST', json: { user: 'admin', apikey: 'devkey:wrong' } });
    assert.equal(wrong.status, 401);
    assert.equal((await ask('/api/v1/user/whoami/')).body.name, 'Michael Scott');
  });

  it('serves its alerts, views, analytics and cases as they are', async () => {
    const storedCount = async (name: string) =>
      ((await (await fetch(`${server.url}/${PREFIX}-${name}/_count`)).json()) as Json).count as number;
    const hits = await ask('/api/v1/search/hit', {
      method: 'POST',
      json: { query: 'howler.id:*', rows: 50, sort: 'event.created desc' },
    });
    assert.equal(hits.status, 200, hits.error);
    assert.equal(hits.body.total, await storedCount('hit'));
    assert.equal(hits.body.items.length, 50);
    for (const { howler } of hits.body.items as Json[]) {
      const { status, body } = await ask(`/api/v1/hit/${howler.id}`);
      assert.equal(status, 200);
      assert.equal(body.howler.hash, howler.hash);
    }
    const facet = await ask('/api/v1/search/facet/hit', { method: 'POST', json: { fields: ['howler.status'] } });
    const counted = Object.values<number>(facet.body['howler.status']).reduce((sum, count) => sum + count, 0);
    assert.equal(counted, hits.body.total);
    assert.ok((await ask('/api/v1/view')).body.length > 0);
    assert.equal((await ask('/api/v1/analytic')).body.length, await storedCount('analytic'));
    assert.equal(
      (await ask('/api/v1/search/case', { method: 'POST', json: { query: 'case_id:*' } })).body.total,
      await storedCount('case'),
    );
    assert.equal(
      (await ask('/api/v1/search/event', { method: 'POST', json: { query: '*:*' } })).body.total,
      await storedCount('event'),
    );
  });

  it('writes what its datastore class reads, and reads what that class writes', async () => {
    const open = await ask('/api/v1/search/hit', { method: 'POST', json: { query: 'howler.status:open', rows: 2 } });
    const [changed, commented] = (open.body.items as Json[]).map((hit) => hit.howler.id as string);
    assert.ok(changed !== undefined && commented !== undefined);
    const before = await ask(`/api/v1/hit/${changed}`);
    const moved = await ask(`/api/v1/hit/${changed}/transition`, {
      method: 'POST',
      json: { transition: 'assign_to_me' },
      headers: { 'if-match': before.etag ?? '' },
    });
    assert.equal(moved.status, 200, moved.error);
    const said = await ask(`/api/v1/hit/${commented}/comments`, { method: 'POST', json: { value: 'seen by both' } });
    assert.equal(said.status, 200, said.error);
    const made = await ask('/api/v1/hit', {
      method: 'POST',
      json: [
        {
          howler: { analytic: 'Both', detection: 'Drop in', hash: 'a'.repeat(64) },
          source: { bytes: 5_000_000_000 },
          event: { kind: 'alert' },
        },
      ],
    });
    assert.equal(made.status, 201, made.error);
    const created = made.body.valid[0].howler.id as string;

    const lines = await python([join(import.meta.dirname, 'read_back.py'), changed, commented, created]);
    const records = lines.filter((line) => line.startsWith('{"version"')).map((line) => JSON.parse(line) as Json);
    assert.deepEqual(
      records.map(({ howler }) => howler.id),
      [changed, commented, created],
    );
    assert.equal(records[0].howler.assignment, 'admin');
    assert.equal(records[0].howler.status, 'in-progress');
    assert.equal(records[0].version, moved.etag, 'the same version token');
    assert.ok(
      records[1].howler.comment.some((comment: Json) => comment.value === 'seen by both' && comment.user === 'admin'),
    );
    assert.equal(records[2].source.bytes, 5_000_000_000);
    assert.equal(lines.at(-2), '3', 'its own search finds all three');
    assert.equal(lines.at(-1), 'Michael Scott');

    const after = await ask(`/api/v1/hit/${changed}`);
    assert.equal(after.body.howler.score, 7.5);
    assert.notEqual(after.etag, moved.etag);
  });

  it('shares users with it whom the analysis service made, changed and gave keys', async () => {
    const analysis = async (method: string, path: string, json?: unknown, credential = 'admin devkey:admin') => {
      const [user = '', key = ''] = credential.split(' ');
      const answer = await fetch(`${program?.addresses.analysis}/api/v4${path}`, {
        method,
        headers: { 'x-user': user, 'x-apikey': key, 'content-type': 'application/json' },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      const body = (await answer.json()) as Json;
      assert.equal(answer.status, 200, `${path}: ${body.api_error_message}`);
      return body.api_response;
    };
    await analysis('PUT', '/user/viola/', {
      ...{ uname: 'viola', name: 'Viola', new_pass: 'Viola-Passw0rd!', email: 'viola@example.org' },
      ...{ type: ['viewer'], groups: ['SOC'], classification: 'TLP:C', is_active: true },
    });
    const known = await analysis('GET', '/user/user/');
    const roles = ['submission_view', 'file_detail', 'apikey_access'];
    const more = { roles, can_impersonate: true, api_daily_quota: 5000, organization: 'Example', dn: 'CN=user' };
    await analysis('POST', '/user/user/', { ...known, type: ['user', 'signature_manager'], ...more });
    const key = { key_name: 'scan', priv: ['C'], roles: ['file_detail'], expiry_ts: null, uname: 'user' };
    const { keypassword } = await analysis('PUT', '/apikey/add/', key);
    const seen = await analysis('GET', '/user/whoami/', undefined, `user ${keypassword}`);
    assert.deepEqual(seen.roles, ['file_detail']);
    const stored = async (): Promise<Json> =>
      ((await (await fetch(`${server.url}/${PREFIX}-user/_doc/user`)).json()) as Json)._source;
    for (let tries = 0; tries < 100 && !(await stored()).key_details.scan.last_used; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }

    const lines = await python([join(import.meta.dirname, 'read_users.py'), 'user', 'viola']);
    const [user, viola, found] = lines.slice(-3).map((line) => JSON.parse(line) as Json);
    assert.deepEqual([user.uname, user.apikeys.scan.acl, viola.uname, viola.type], ['user', [], 'viola', []]);
    assert.ok(found.includes('user') && found.includes('viola'), 'its own search finds both');

    // It writes what it knows: the key is left with no rights, and the account with those of its types.
    assert.deepEqual([(await stored()).key_details, (await stored()).name], [undefined, 'Written back']);
    const after = await ask('/api/v1/user/user');
    assert.equal(after.body.name, 'Written back');
    const left = await analysis('GET', '/apikey/scan+user/');
    assert.deepEqual([left.acl, left.roles], [['C'], []]);
    assert.deepEqual((await analysis('GET', '/user/user/')).type, ['user']);
  });
});
