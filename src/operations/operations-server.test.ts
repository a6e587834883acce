import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent } from '../identity/audit/audit-log.ts';
import { askOperations } from '../testing/operations/ask-operations.ts';
import { startTestProgram, type TestProgram } from '../testing/start-test-program.ts';
import { until } from '../testing/until.ts';
import { WebBrowser } from '../testing/web-browser.ts';

let program: TestProgram;
const events: AuditEvent[] = [];
before(async () => {
  program = await startTestProgram({
    demo: 'users',
    settings: { 'system.retention.enabled': false, 'datastore.ilm.enabled': true },
    onAudit: (event) => void events.push(event),
  });
});
after(() => program.close());

const ask: (path: string, request?: Parameters<typeof askOperations>[2]) => ReturnType<typeof askOperations> = (
  path,
  request,
) => askOperations(program, path, request);

describe('the operations API behind the web listener', () => {
  it('answers the session of an administrator, and no one else', async () => {
    const [admin, user, stranger] = ['admin', 'user', ''].map(() => new WebBrowser(program.urls.web));
    await admin?.signIn('admin');
    await user?.signIn('user');
    const path = '/services/operations/v1/jobs';
    const statuses = [admin, user, stranger].map(async (browser) => (await browser?.ask(path))?.status);
    assert.deepEqual(await Promise.all(statuses), [200, 403, 401]);
    assert.equal((await user?.ask(path))?.headers['x-error-needs'], 'admin');
    const basic = `Basic ${btoa('admin:devkey:admin')}`;
    assert.equal((await stranger?.ask(path, { headers: { authorization: basic } }))?.status, 401, 'without a session');
    const change = (headers: Record<string, string>) =>
      admin?.ask('/services/operations/v1/users/goose', { method: 'PATCH', json: { name: 'Goose' }, headers });
    assert.equal((await change({}))?.status, 200);
    for (const site of ['cross-site', 'same-site', 'none']) {
      assert.equal((await change({ 'sec-fetch-site': site }))?.status, 403, site);
    }
  });

  it('gives a session of a reading key no change', async () => {
    const browser = new WebBrowser(program.urls.web);
    await browser.signInByKey('admin', 'readonly:admin');
    const run = await browser.ask('/services/operations/v1/jobs/view_cleanup/run', { method: 'POST' });
    assert.deepEqual([run.status, run.json.error.code], [403, 'missing_privilege']);
    assert.equal(run.headers['x-error-needs'], 'E');
    assert.equal((await browser.ask('/services/operations/v1/jobs')).status, 200);
  });
});

describe('the health of all parts', () => {
  it('has every check with its duration', async () => {
    const { status, json } = await ask('/v1/health');
    assert.equal(status, 200);
    assert.equal(json.status, 'ok');
    assert.deepEqual(
      json.checks.map(({ name, ok, required }: Record<string, unknown>) => [name, ok, required]),
      [
        ['datastore', true, true],
        ['coordination', true, false],
        ['files', true, false],
        ['classification', true, true],
      ],
    );
    for (const { milliseconds, detail } of json.checks) {
      assert.ok(milliseconds >= 0 && milliseconds < 5000 && typeof detail === 'string');
    }
    assert.equal(json.version, '0.0.0-test');
    assert.ok(Math.abs(Date.parse(json.started_at) - (Date.now() - process.uptime() * 1000)) < 5000);
  });
});

describe('indices', () => {
  it('are listed by collection with generation, size and phase, and get a new generation', async () => {
    const find = async (name: string) => {
      const { json } = await ask('/v1/indices');
      return json.collections.find((one: { collection: string }) => one.collection === name);
    };
    const before = await find('hit');
    assert.deepEqual([before.has_generations, before.indices.length], [true, 1]);
    const [first] = before.indices;
    assert.deepEqual([first.generation, first.phase, first.documents, first.write_blocked], [1, 'writes', 0, false]);
    const begun = await ask('/v1/indices/hit/generations', { method: 'POST' });
    assert.deepEqual([begun.status, begun.json], [201, { index: `${first.index.slice(0, -1)}2` }]);
    const { indices } = await find('hit');
    assert.deepEqual(
      indices.map((one: { generation: number; phase: string }) => [one.generation, one.phase]),
      [
        [1, 'older'],
        [2, 'writes'],
      ],
    );
    const { event, target, user, by, service } = events.at(-1) ?? {};
    assert.deepEqual([event, target, user, by, service], ['generation_begun', 'hit', undefined, 'admin', 'operations']);
    assert.ok((await find('user')).documents > 0);
  });

  it('refuse a generation of what has none, or does not exist, in one sentence', async () => {
    const none = await ask('/v1/indices/user/generations', { method: 'POST' });
    assert.deepEqual([none.status, none.json.error.code, none.json.error.at], [409, 'lifecycle_missing', 'user']);
    const unknown = await ask(`/v1/indices/${encodeURIComponent('../hit')}/generations`, { method: 'POST' });
    assert.deepEqual([unknown.status, unknown.json.error.code], [400, 'unknown_collection']);
    assert.match(unknown.json.error.message, /There is no collection "\.\.\/hit"\. There are .*hit/);
  });
});

describe('migrations', () => {
  it('are listed as pending, running, abandoned, applied, damaged and unknown', async () => {
    const { foundation } = program;
    const { migrationDocument } = await import('../documents/kinds/migration.ts');
    const records = foundation.datastore.collection(migrationDocument);
    const [first = '', second = ''] = (await ask('/v1/migrations')).json.migrations.map(
      (one: { id: string }) => one.id,
    );
    const states = async () =>
      (await ask('/v1/migrations')).json.migrations.map((one: { id: string; state: string }) => [one.id, one.state]);
    assert.deepEqual(await states(), [
      [first, 'pending'],
      [second, 'pending'],
    ]);
    const now = new Date().toISOString();
    await records.save(first, { migration_id: first, status: 'running', started_at: now, claim_id: 'abc' });
    const [running] = (await ask('/v1/migrations')).json.migrations;
    assert.equal(running.state, 'running');
    assert.equal(running.claim.id, 'abc');
    assert.ok(Date.parse(running.claim.abandoned_at) > Date.parse(running.claim.since));
    await records.save(first, { migration_id: first, status: 'running', started_at: '2020-01-01T00:00:00Z' });
    await records.save(second, { migration_id: second, status: 'applied', started_at: now });
    await records.save(
      'of-later',
      { migration_id: 'of-later', status: 'applied', started_at: now, applied_at: now, affected_documents: 7 },
      { visible: 'now' },
    );
    assert.deepEqual(await states(), [
      [first, 'abandoned'],
      [second, 'damaged'],
      ['of-later', 'unknown'],
    ]);
    const { migrations } = (await ask('/v1/migrations')).json;
    assert.match(migrations[1].problem, /applied_at/);
    assert.equal(migrations[2].affected_documents, 7);
  });
});

describe('jobs', () => {
  const find = async (name: string) =>
    (await ask('/v1/jobs')).json.jobs.find((one: { name: string }) => one.name === name);

  it('are listed with their next times, and run when an administrator says so', async () => {
    const off = await find('retention');
    assert.deepEqual([off.enabled, off.next_run, off.running, off.last_run], [false, null, null, null]);
    const idle = await find('view_cleanup');
    assert.ok(Date.parse(idle.next_run) > Date.now());
    for (const name of ['view_cleanup', 'retention']) {
      const begun = await ask(`/v1/jobs/${name}/run`, { method: 'POST' });
      assert.deepEqual([begun.status, begun.json], [202, { job: name }]);
      await until('it ended', async () => (await find(name)).last_run !== null);
      const { last_run: last, running } = await find(name);
      assert.deepEqual([last.outcome, last.started_by, last.error, running], ['done', 'admin', null, null]);
      assert.ok(Date.parse(last.ended_at) >= Date.parse(last.started_at));
    }
    const { event, target, by } = events.at(-1) ?? {};
    assert.deepEqual([event, target, by], ['job_started', 'retention', 'admin']);
  });

  it('are refused when there is no such job, or when it runs', async () => {
    const unknown = await ask('/v1/jobs/nothing/run', { method: 'POST' });
    assert.deepEqual([unknown.status, unknown.json.error.code], [404, 'job_unknown']);
    const lock = await program.foundation.coordination.locks.acquire('job:expiry', 60_000);
    const running = await ask('/v1/jobs/expiry/run', { method: 'POST' });
    assert.deepEqual([running.status, running.json.error.code], [409, 'job_running']);
    await lock?.release();
  });
});

describe('queues', () => {
  it('have their length and the age of the oldest item, of any priority', async () => {
    const { queues } = program.foundation.coordination;
    const find = async (name: string) =>
      (await ask('/v1/queues')).json.queues.find((one: { queue: string }) => one.queue === name);
    const empty = await find('analysis:archive');
    assert.deepEqual([empty.waiting, empty.oldest_at, empty.age_seconds], [0, null, 0]);
    await queues.push('service:Nobody', [{ first: true }], { priority: -5 });
    const pushed = await queues.oldest('service:Nobody');
    await queues.push('service:Nobody', [{ second: true }], { priority: 5 });
    const full = await find('service:Nobody');
    assert.deepEqual([full.waiting, full.oldest_at], [2, new Date(Number(pushed)).toISOString()]);
    await queues.clear('service:Nobody');
  });

  it('of one kind are cut at 200, and the answer says so', async () => {
    const { queues } = program.foundation.coordination;
    assert.equal((await ask('/v1/queues')).json.complete, true);
    const names = Array.from({ length: 201 }, (_, index) => `nq-many-${index}`);
    for (const name of names) await queues.push(name, [1]);
    const { json } = await ask('/v1/queues');
    assert.equal(json.complete, false);
    assert.equal(json.queues.filter((one: { queue: string }) => one.queue.startsWith('nq-')).length, 200);
    for (const name of names) await queues.clear(name);
  });
});
