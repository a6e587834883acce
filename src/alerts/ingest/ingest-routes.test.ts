import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

const ADMIN = 'admin:devkey:admin';

let program: TestProgram;
before(async () => {
  program = await startTestProgram();
});
after(() => program.close());

const send = (method: string, path: string, json?: unknown, basic: string | undefined = ADMIN) =>
  program.request(path, { method, ...(basic === '' ? {} : { basic }), ...(json === undefined ? {} : { json }) });
const messageOf = async (method: string, path: string, json: unknown) => {
  const { status, json: answer } = await send(method, path, json);
  assert.equal(status, 400, `${method} ${path}`);
  return answer.api_error_message;
};

describe('/api/v2/ingest', () => {
  it('answers identifiers, and warnings beside them', async () => {
    const { status, json } = await send('POST', '/api/v2/ingest/event?ignore_extra_values=TRUE&refresh=true', [
      { nope: 1, message: 'found at once' },
    ]);
    assert.equal(status, 201);
    assert.deepEqual(json.api_warning, ['nope is not currently used by howler.']);
    const query = { query: `howler.id:${json.api_response[0]}` };
    assert.equal((await send('POST', '/api/v2/search/event', query)).json.api_response.total, 1);
  });

  it('works on the indexes that there are', async () => {
    assert.equal(await messageOf('POST', '/api/v2/ingest/hit,event', [{}]), 'You cannot create in multiple indexes.');
    assert.equal(
      await messageOf('POST', '/api/v2/ingest/hit,event/validate', [{}]),
      'You cannot validate across multiple indexes.',
    );
    assert.equal(
      await messageOf('PATCH', '/api/v2/ingest/hit,event/x/overwrite', {}),
      'You cannot overwrite across multiple indexes.',
    );
    const operations = { query: '*:*', operations: [] };
    for (const [method, path, json] of [
      ['PATCH', '/api/v2/ingest/user/admin/overwrite', { name: 'x' }],
      ['DELETE', '/api/v2/ingest/hit,user', ['admin']],
      ['PUT', '/api/v2/ingest/user/update', operations],
      ['PUT', '/api/v2/ingest/hit,*/update', operations],
    ] as const) {
      assert.match(await messageOf(method, path, json), /^Not a valid index to ingest into: /);
    }
  });

  it('updates by query in several indexes, and needs query and operations', async () => {
    const message = `update${Date.now()}`;
    for (const [index, record] of [
      ['hit', { 'howler.analytic': 'P', message }],
      ['event', { message }],
    ] as const) {
      await send('POST', `/api/v2/ingest/${index}?refresh=true`, [record]);
    }
    const query = `message:${message}`;
    const path = '/api/v2/ingest/hit,event/update?refresh=true';
    const { json } = await send('PUT', path, { query, operations: [['INC', 'howler.score', 5]] });
    assert.deepEqual(json.api_response, { success: true });
    const found = await send('POST', '/api/v2/search/hit,event', { query: `${query} AND howler.score:5` });
    assert.equal(found.json.api_response.total, 2);
    assert.equal(await messageOf('PUT', path, { operations: [] }), "'query'");
    assert.equal(await messageOf('PUT', path, { query }), "'operations'");
    assert.match(await messageOf('PUT', path, { query: 'a:[', operations: [] }), /a:\[|expected|parse|query/i);
    await messageOf('PUT', path, { query, operations: [['NOPE', 'message', 'x']] });
    await messageOf('PUT', path, { query: 5, operations: [] });
    await messageOf('PUT', path, []);
  });

  it('lets anyone try, and stores nothing of it', async () => {
    const { status, json } = await send(
      'POST',
      '/api/v2/ingest/event/validate',
      [{ message: 'tried' }, { nope: 1 }],
      '',
    );
    assert.equal(status, 200);
    assert.deepEqual(json.api_response.valid, [{ message: 'tried' }]);
    assert.equal(json.api_response.invalid.length, 1);
    const count = await send('POST', '/api/v2/search/count/event', { query: 'message:tried' });
    assert.equal(count.json.api_response.count, 0);
    assert.equal(
      await messageOf('POST', '/api/v2/ingest/hit/validate', { 'howler.analytic': 'x' }),
      'JSON Payload must be a list of records.',
    );
  });

  it('deletes for administrators, with all bodies checked first', async () => {
    assert.equal(await messageOf('DELETE', '/api/v2/ingest/hit', null), 'No hit ids were sent.');
    await messageOf('DELETE', '/api/v2/ingest/hit', 'x');
    await messageOf('DELETE', '/api/v2/ingest/hit', [5]);
    assert.equal((await send('DELETE', '/api/v2/ingest/event', ['x'], 'huey:devkey:huey')).status, 403);
    const { status, json } = await send('DELETE', '/api/v2/ingest/hit,event', ['x', 'y']);
    assert.deepEqual([status, json.api_error_message], [404, 'Record ids [x,y] do not exist.']);
  });
});
