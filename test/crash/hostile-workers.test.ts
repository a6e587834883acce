import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { extractedFile, ScriptedWorker, uploadHeaders } from '../../src/testing/analysis/scripted-worker.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';
import { until } from '../../src/testing/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;

const ADMIN = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };
/** Seconds that a task may take, and milliseconds that the dispatcher adds. */
const TIMEOUT = 1;
const GRACE = 5000;
/** Level of log lines about defects. */
const ERROR = 50;
/** Seconds of a poll that must end with a task. */
const WAIT = 20;

describe('workers that misbehave', { concurrency: true }, () => {
  let program: TestProgram;
  let url: string;
  const faults: object[] = [];
  before(async () => {
    program = await startTestProgram({
      onLog: ({ level, msg, path, err }) => Number(level) >= ERROR && faults.push({ msg, path, err }),
      settings: { 'analysis.analyzers.enabled': 'none', 'analysis.services.absent_after': 0 },
    });
    url = program.urls.services;
  });
  after(async () => {
    // Aborted calls leave connections that no request was sent on.
    program.cutConnections();
    await program.close();
    assert.deepEqual(faults, []);
  });
  const ask = async (method: string, path: string, json?: unknown) => {
    const options = { service: 'analysis', method, headers: ADMIN, ...(json === undefined ? {} : { json }) } as const;
    return (await program.request(`/api/v4/${path}`, options)).json.api_response;
  };
  /** Submits a file to one service, which the test has for itself. */
  const submit = async (service: string, text = `${service} ${Math.random()}`): Promise<string> => {
    const params = { ttl: 1, services: { selected: [service] }, ignore_cache: true };
    return (await ask('POST', 'submit/', { plaintext: text, name: 'a.txt', params })).sid;
  };
  const completed = async (sid: string): Promise<Json> => {
    let found: Json;
    await until(
      `${sid} is completed`,
      async () => {
        found = await ask('GET', `submission/${sid}/`);
        return found.state === 'completed';
      },
      15_000,
    );
    return found;
  };
  const aService = async (name: string, timeout = 60) => {
    const workers = [new ScriptedWorker(url, name, 'bad'), new ScriptedWorker(url, name, 'good')] as const;
    await workers[0].register({ timeout });
    return workers;
  };

  it('that vanish or answer late lose their task to another, whose result counts', async () => {
    const [bad, good] = await aService('Late', TIMEOUT);
    const sid = await submit('Late');
    const first = await bad.poll(WAIT);
    const started = performance.now();
    const second = await good.poll(WAIT);
    const waited = performance.now() - started;
    assert.ok(waited < TIMEOUT * 1000 + GRACE + 3000, `given out again after ${Math.round(waited)} ms`);
    assert.notEqual(second.metadata.task_id__, first.metadata.task_id__);
    const late = await bad.deliver(first, { response: { extracted: [extractedFile(first, 'late')] } });
    assert.deepEqual([late.status, late.data], [200, { success: true }], 'it is told nothing');
    assert.deepEqual((await ask('GET', `submission/${sid}/`)).results, [], 'and it is ignored');
    assert.deepEqual((await good.deliver(second)).data, { success: true });
    const { results, errors, file_count: files } = await completed(sid);
    assert.deepEqual([results.length, errors.length, files], [1, 0, 1]);
  });

  it('that never answer fail after three attempts, and the rest continues', async () => {
    const [bad] = await aService('Silent', TIMEOUT);
    const [, good] = await aService('Neighbour');
    const sid = await submit('Silent');
    for (let attempt = 1; attempt <= 3; attempt += 1) assert.ok(await bad.poll(WAIT), `attempt ${attempt}`);
    const other = await submit('Neighbour');
    await good.deliver(await good.poll(WAIT));
    assert.equal((await completed(other)).results.length, 1);
    const { results, errors } = await completed(sid);
    assert.equal(results.length, 0);
    assert.match(errors[0], /\.Silent\..*\.e30$/);
    assert.equal(await bad.poll(0.1), undefined);
  });

  it('that answer twice, with results or errors, count once', async () => {
    const [bad] = await aService('Twice');
    const sid = await submit('Twice');
    const task = await bad.poll(WAIT);
    const answers = await Promise.all([
      bad.deliver(task),
      bad.deliver(task, { response: { extracted: [] }, result: { score: 0, sections: [] } }),
      bad.fail(task, 'second thoughts', 'FAIL_NONRECOVERABLE'),
    ]);
    for (const { status, data } of answers) assert.deepEqual([status, data], [200, { success: true }]);
    assert.deepEqual((await bad.deliver(task)).data, { success: true });
    const { results, errors } = await completed(sid);
    assert.ok(results.length + errors.length === 1, `${results} ${errors}`);
  });

  it('that upload half a file leave nothing, and finish once it is whole', async () => {
    const [bad] = await aService('Half');
    const sid = await submit('Half');
    const task = await bad.poll(WAIT);
    const child = 'extracted '.repeat(100_000);
    const { Sha256: sha256 = '' } = uploadHeaders(task, child);
    await uploadHalf(url, { ...bad.headers, ...uploadHeaders(task, child) }, child);
    const extracted = [extractedFile(task, child)];
    const missing = await bad.deliver(task, { response: { extracted } });
    assert.deepEqual(missing.data, { success: false, missing_files: [sha256] });
    assert.equal(await program.foundation.files.stat(sha256), undefined);
    const wrong = await bad.upload(task, child, 'another');
    assert.equal(wrong.status, 400);
    assert.equal((await bad.upload(task, child)).status, 200);
    assert.deepEqual((await bad.deliver(task, { response: { extracted } })).data, { success: true });
    await bad.deliver(await bad.poll(WAIT));
    const { results, file_count: files } = await completed(sid);
    assert.deepEqual([results.length, files], [2, 2]);
  });

  it('that leave while they wait for a task get none', async () => {
    const [bad, good] = await aService('Gone');
    const polls = Array.from({ length: 20 }, () => {
      const leaving = new AbortController();
      const poll = bad.poll(WAIT, leaving.signal).catch(() => 'left');
      return { leaving, poll };
    });
    await sleep(300);
    for (const { leaving, poll } of polls) {
      leaving.abort();
      assert.equal(await poll, 'left');
    }
    const sid = await submit('Gone');
    const task = await good.poll(WAIT);
    assert.equal(task.sid, sid);
    await good.deliver(task);
    assert.equal((await completed(sid)).errors.length, 0);
  });
});

/** Sends the first half of an upload and closes the connection. */
async function uploadHalf(url: string, workerHeaders: Record<string, string>, text: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const headers = { ...workerHeaders, 'Content-Type': 'application/octet-stream' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = ['PUT /api/v1/file/ HTTP/1.1', 'Host: x', ...lines, `Content-Length: ${text.length}`, '', ''];
  socket.write(head.join('\r\n') + text.slice(0, text.length / 2));
  await sleep(200);
  socket.destroy();
  await sleep(200);
}
