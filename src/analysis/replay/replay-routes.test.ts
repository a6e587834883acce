import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../testing/analysis/analysis-program.ts';
import { aSha256 } from '../../testing/analysis/result-builders.ts';
import { seedSubmission } from '../../testing/analysis/seeded-submission.ts';

const ACCESS = unrestricted('the test looks at everything');
let program: AnalysisTestProgram;

before(async () => {
  program = await startAnalysisTestProgram({ settings: { 'analysis.ui.allow_replay': true } });
  await program.saveUser('root', { type: ['admin'], classification: 'TLP:GREEN' });
  await program.saveUser('ana', { classification: 'TLP:GREEN' });
  await seedSubmission(program.store, { sid: 'one', files: [{ sha256: aSha256(1) }] });
  await seedSubmission(program.store, { sid: 'two', files: [{ sha256: aSha256(1) }] });
  await seedSubmission(program.store, { sid: 'secret', classification: 'TLP:AMBER', files: [{ sha256: aSha256(1) }] });
});
after(() => program.close());

const call = async (uname: string, method: string, path: string, json?: unknown) => {
  const options = { method, ...(json === undefined ? {} : { json }) };
  const answer = await program.as(uname, `/api/v4/replay/${path}`, options);
  const { api_response: data, api_error_message: message } = answer.json;
  return { status: answer.status, data, message: message as string };
};
const stateOf = async (sid: string) =>
  (await program.foundation.datastore.collection(submissionDocument).get(sid, ACCESS))?.metadata.replay;

/** Sends a GET request with a body, which fetch does not. */
async function getWithBody(path: string, body: string) {
  const headers = {
    ...{ 'x-user': 'root', 'x-apikey': 'key:secret' },
    ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  };
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; data: unknown }>();
  httpRequest(`${program.urls.analysis}/api/v4/replay/${path}`, { method: 'GET', headers }, async (answer) => {
    resolve({ status: answer.statusCode ?? 0, data: JSON.parse(await text(answer)).api_response });
  })
    .on('error', reject)
    .end(body);
  return promise;
}

describe('replay', () => {
  it('notes what is asked for, about to be sent, and sent', async () => {
    assert.deepEqual((await call('ana', 'GET', 'submission/one/')).data, { success: true });
    assert.equal(await stateOf('one'), 'requested');
    const pending = {
      index: 'submission',
      query: 'sid:*',
      filter_queries: ['metadata.replay:requested'],
      max_docs: 10,
    };
    assert.deepEqual((await call('root', 'POST', 'pending/', pending)).data, { success: true, count: 1 });
    assert.equal(await stateOf('one'), 'pending');
    assert.deepEqual((await call('root', 'POST', 'submission/one/')).data, { success: true });
    assert.equal(await stateOf('one'), 'done');
  });

  it('reaches nothing above the caller, and no more than is asked for', async () => {
    for (const id of ['secret', 'nothing']) {
      const { status, message } = await call('ana', 'GET', `submission/${id}/`);
      assert.deepEqual(
        [status, message],
        [403, `You are not allowed to modify the submission with the following ID: ${id}`],
      );
    }
    const all = { index: 'submission', query: '*', filter_queries: [], max_docs: 1 };
    assert.equal((await call('root', 'POST', 'pending/', all)).data.count, 1);
    assert.equal((await call('root', 'POST', 'pending/', { ...all, max_docs: 100 })).data.count, 2);
    assert.equal(await stateOf('secret'), undefined);
    assert.equal((await call('ana', 'POST', 'pending/', all)).status, 403);
    assert.equal((await call('ana', 'POST', 'submission/one/')).status, 403);
  });

  it('keeps messages and checkpoints', async () => {
    for (const [type, message] of [
      ['file', '/tmp/one.al_bundle'],
      ['submission', { sid: 'one', times: { completed: 'now' } }],
      ['alert', { alert_id: 'one', reporting_ts: 'now' }],
    ] as const) {
      assert.deepEqual((await call('root', 'PUT', `queue/${type}/`, message)).data, { success: true });
      assert.deepEqual((await call('root', 'GET', `queue/${type}/`)).data, message);
    }
    assert.deepEqual((await call('root', 'PUT', 'checkpoint/badlist/')).data, { checkpoint: '*' });
    const stored = await getWithBody('checkpoint/badlist/', '{"checkpoint":"2026-01-01"}');
    assert.deepEqual(stored, { status: 200, data: { success: true } });
    assert.deepEqual((await call('root', 'PUT', 'checkpoint/badlist/')).data, { checkpoint: '2026-01-01' });
  });

  it('refuses what it does not know, in words that say why', async () => {
    for (const [method, path, body, message] of [
      ['GET', 'user/root/', undefined, /USER is not a valid index for this API\./],
      ['PUT', 'queue/badlist/', 'x', /BADLIST is not a valid message type/],
      ['GET', 'queue/x/', undefined, /X is not a valid message type/],
      ['PUT', 'queue/file/', { path: 'x' }, /Invalid message for type FILE/],
      ['PUT', 'queue/file/', 'x'.repeat(5000), /Invalid message for type FILE/],
      ['PUT', 'queue/alert/', { alert_id: 'x' }, /Invalid message for type ALERT/],
      ['PUT', 'checkpoint/file/', undefined, /FILE is not a valid message type/],
      ['GET', 'checkpoint/badlist/', undefined, /Invalid message for type BADLIST/],
      ['POST', 'pending/', { index: 'submission', query: '*' }, /Invalid data block/],
      ['POST', 'pending/', { index: 'user', query: '*', filter_queries: [], max_docs: 1 }, /USER is not a valid index/],
      ['POST', 'pending/', { index: 'alert', query: '(', filter_queries: [], max_docs: 1 }, /./],
    ] as const) {
      const answer = await call('root', method, path, body);
      assert.equal(answer.status, 400, `${method} ${path}`);
      assert.match(answer.message, message);
    }
    assert.equal((await getWithBody('checkpoint/badlist/', 'x'.repeat(20_000))).status, 413);
  });

  it('answers as for an unknown address where it is off', async (context) => {
    const other = await startAnalysisTestProgram();
    context.after(() => other.close());
    await other.saveUser('ana');
    const { status, json } = await other.as('ana', '/api/v4/replay/submission/one/');
    assert.deepEqual([status, json.api_error_message], [404, 'Api does not exist (/api/v4/replay/submission/one/)']);
  });
});
