import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { SocketClient } from '../../src/testing/socket-client.ts';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { until } from '../../src/testing/until.ts';
import { type Balancer, type ClusterFixture, clusterFixture, startBalancer } from './cluster-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;

const ADMIN = `Basic ${btoa('admin:devkey:admin')}`;

describe('two alert processes behind one address', () => {
  const engine = outsideServer('opensearch');
  const redis = outsideServer('redis');
  const reason = engine.unavailable ?? redis.unavailable;
  if (reason !== undefined) {
    it('not run', { skip: reason });
    return;
  }

  let fixture: ClusterFixture;
  let programs: readonly SpawnedProgram[] = [];
  let balancer: Balancer;
  const [first, second] = [() => programs[0]?.alerts ?? '', () => programs[1]?.alerts ?? ''];
  const ask = async (
    base: string,
    path: string,
    options: { method?: string; json?: unknown; headers?: Record<string, string> } = {},
  ) => {
    const answer = await fetch(`${base}${path}`, {
      method: options.method ?? 'GET',
      headers: { authorization: ADMIN, 'content-type': 'application/json', ...options.headers },
      ...(options.json === undefined ? {} : { body: JSON.stringify(options.json) }),
    });
    const text = await answer.text();
    const body: Json = text === '' ? undefined : JSON.parse(text);
    return { status: answer.status, body: body?.api_response, etag: answer.headers.get('etag') ?? '' };
  };
  const createHit = async (base: string) => {
    const json = [{ howler: { analytic: 'Cluster', detection: 'Shared', hash: 'b'.repeat(64) } }];
    const { status, body } = await ask(base, '/api/v1/hit', { method: 'POST', json });
    assert.equal(status, 201);
    return body.valid[0].howler.id as string;
  };

  before(async () => {
    fixture = clusterFixture('opensearch', engine.url);
    const environment = {
      ...fixture.environment,
      SVC_COORDINATION_TYPE: 'redis',
      SVC_COORDINATION_URL: redis.url,
      SVC_AUTH_INTERNAL_MAX_FAILURES: '4',
    };
    // Both at once: each makes what is missing, and neither gets in the way of the other.
    const start = (flags: readonly string[]) => Promise.all([1, 2].map(() => spawnProgram({ flags, environment })));
    for (const program of await start(['--demo=users'])) await program.stop();
    programs = await start([]);
    balancer = await startBalancer(programs.map(({ alerts }) => alerts));
  });
  after(async () => {
    await balancer?.close();
    await Promise.all(programs.map((program) => program.stop()));
    await fixture?.clear();
  });

  it('took turns at making the demo users: each is there once', async () => {
    const { body } = await ask(balancer.url, '/api/v1/search/user', { method: 'POST', json: { query: '*:*' } });
    assert.equal(new Set(body.items.map(({ uname }: Json) => uname)).size, body.total);
    assert.ok(body.total >= 5);
  });

  it('take app tokens of each other, and forget them together', async () => {
    const login = await ask(first(), '/api/v1/auth/login', {
      method: 'POST',
      json: { user: 'user', apikey: 'devkey:user' },
    });
    const headers = { authorization: `Bearer ${login.body.app_token}` };
    assert.equal((await ask(second(), '/api/v1/user/whoami', { headers })).body.username, 'user');
    for (let turn = 0; turn < 6; turn++)
      assert.equal((await ask(balancer.url, '/api/v1/user/whoami', { headers })).status, 200);
  });

  it('see each other’s writes by id at once and in searches within a second or so', async () => {
    const id = await createHit(first());
    assert.equal((await ask(second(), `/api/v1/hit/${id}`)).status, 200);
    const deadline = Date.now() + 5000;
    const query = { method: 'POST', json: { query: `howler.id:${id}` } };
    while ((await ask(second(), '/api/v1/search/hit', query)).body.total === 0) {
      assert.ok(Date.now() < deadline, 'it is not found');
      await sleep(100);
    }
  });

  it('tell the listeners of each other of changes and viewers', async () => {
    const id = await createHit(first());
    const login = { method: 'POST', json: { user: 'user', apikey: 'devkey:user' } };
    const { body } = await ask(first(), '/api/v1/auth/login', login);
    const listeners = await Promise.all([first(), second()].map((base) => SocketClient.admitted(base, body.app_token)));
    const isOf = ({ hit }: Json) => hit.howler.id === id;
    const changed = await ask(second(), `/api/v1/hit/${id}/comments`, { method: 'POST', json: { value: 'seen' } });
    assert.equal(changed.status, 200);
    for (const listener of listeners) await listener.next('hits', isOf);
    for (const listener of listeners) {
      await listener.send({ id, action: 'viewing', broadcast: false });
      await listener.next('viewers_update', (frame) => frame.id === id);
    }
    for (const base of [first(), second()]) {
      assert.deepEqual((await ask(base, `/socket/v1/viewers/${id}`)).body, ['user']);
    }
    listeners[0]?.close();
    await sleep(500);
    assert.deepEqual((await ask(first(), `/socket/v1/viewers/${id}`)).body, ['user']);
    listeners[1]?.close();
    const deadline = Date.now() + 5000;
    while ((await ask(first(), `/socket/v1/viewers/${id}`)).body.length > 0) {
      assert.ok(Date.now() < deadline, 'a viewer stays behind');
      await sleep(50);
    }
  });

  it('refuse a change whose If-Match is older than a change of the other process', async () => {
    const id = await createHit(first());
    const read = await ask(first(), `/api/v1/hit/${id}`);
    assert.equal((await ask(second(), `/api/v1/hit/${id}`)).etag, read.etag);
    const change = (base: string, etag: string, value: string) =>
      ask(base, `/api/v1/hit/${id}/transition`, {
        method: 'POST',
        json: { transition: value },
        headers: { 'if-match': etag },
      });
    const moved = await change(second(), read.etag, 'assign_to_me');
    assert.equal(moved.status, 200);
    assert.equal((await change(first(), read.etag, 'release')).status, 409);
    assert.equal((await change(first(), moved.etag, 'release')).status, 200);
  });

  it('lose no comment of many that arrive at both', async () => {
    const id = await createHit(first());
    const values = Array.from({ length: 20 }, (_, n) => `comment ${n}`);
    const answers = await Promise.all(
      values.map((value, n) =>
        ask(n % 2 === 0 ? first() : second(), `/api/v1/hit/${id}/comments`, { method: 'POST', json: { value } }),
      ),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const { body } = await ask(balancer.url, `/api/v1/hit/${id}`);
    assert.deepEqual(body.howler.comment.map((comment: Json) => comment.value).sort(), [...values].sort());
  });

  it('count failed logins together', async () => {
    const attempt = (base: string, password: string) =>
      ask(base, '/api/v1/auth/login', { method: 'POST', json: { user: 'goose', password } });
    assert.equal((await attempt(first(), 'goose')).status, 200);
    for (const base of [first(), second(), first(), second()]) assert.equal((await attempt(base, 'wrong')).status, 401);
    for (const base of [first(), second()])
      assert.notEqual((await attempt(base, 'goose')).status, 200, 'locked out at both');
  });

  it('count the concurrent requests of a user together', async () => {
    const headers = { authorization: `Basic ${btoa('huey:devkey:huey')}` };
    const changed = await ask(first(), '/api/v1/user/huey', { method: 'PUT', json: { api_quota: 1 } });
    assert.equal(changed.status, 200);
    await sleep(1500);
    let ended = false;
    const keepBusy = (async () => {
      while (!ended) await ask(first(), '/api/v1/search/hit', { method: 'POST', json: { query: '*:*' }, headers });
    })();
    const seen = new Set<number>();
    const deadline = Date.now() + 10_000;
    while (!seen.has(429) && Date.now() < deadline)
      seen.add((await ask(second(), '/api/v1/analytic', { headers })).status);
    ended = true;
    await keepBusy;
    assert.ok(seen.has(429), `never refused: ${[...seen]}`);
    assert.equal((await ask(second(), '/api/v1/analytic', { headers })).status, 200, 'places are given back');
  });

  it('work on triggers and rules together', async () => {
    await makeWork();
    for (const base of [first(), second()]) await expectWork(base, await createHit(base));
  });

  it('go on alone when the other is killed, with its work', async () => {
    await programs[1]?.kill();
    assert.equal((await ask(first(), '/api/v1/user/whoami')).status, 200);
    const id = await createHit(first());
    assert.equal((await ask(first(), `/api/v1/hit/${id}`)).status, 200);
    await expectWork(first(), id);
  });

  /** A triggered action and a rule, which concern every alert of these tests. */
  async function makeWork(): Promise<void> {
    const query = 'howler.analytic:Cluster';
    const operations = [{ operation_id: 'add_label', data_json: '{"label":"worked"}' }];
    const action = { name: 'Label', query, triggers: ['create'], operations };
    const made = await ask(first(), '/api/v1/action?refresh=wait_for', { method: 'POST', json: action });
    assert.equal(made.status, 201);
    const { body } = await ask(first(), '/api/v2/case', { method: 'POST', json: { title: 'Case', summary: 'Case' } });
    const rule = { query, destination: 'found/{{howler.id}}' };
    const path = `/api/v2/case/${body.case_id}/rules?refresh=wait_for`;
    assert.equal((await ask(first(), path, { method: 'POST', json: rule })).status, 200);
  }

  /** Waits for at most 10 seconds, within which another process continues. */
  async function expectWork(base: string, id: string): Promise<void> {
    const isDone = async () => {
      const { howler } = (await ask(base, `/api/v1/hit/${id}`)).body;
      return howler.labels.generic.includes('worked') && howler.related.length === 1;
    };
    await until('the action ran and the rule filed the alert', isDone, 10_000);
  }
});
