import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

const ADMIN = 'admin:devkey:admin';
const HUEY = 'huey:devkey:huey';

let program: TestProgram;
before(async () => {
  program = await startTestProgram();
});
after(() => program.close());

const send = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}, basic = ADMIN) =>
  program.request(path, { method, basic, headers, ...(json === undefined ? {} : { json }) });

async function aCase(fields: Record<string, unknown> = {}): Promise<string> {
  const { status, json } = await send('POST', '/api/v2/case/', { title: 'T', summary: 'S', ...fields });
  assert.equal(status, 201);
  return json.api_response.case_id;
}

describe('/api/v2/case', () => {
  it('tells the version of a case, and answers 304 to who has it', async () => {
    const id = await aCase();
    const first = await send('GET', `/api/v2/case/${id}`);
    const version = first.headers.get('etag') ?? '';
    assert.match(version, /^\d+---\d+$/);
    const again = await send('GET', `/api/v2/case/${id}`, undefined, { 'if-match': version });
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', version]);
    const item = { type: 'markdown', value: 'v', name: 'n' };
    const added = await send('POST', `/api/v2/case/${id}/items`, item, { 'if-match': version });
    assert.equal(added.status, 200);
    const changed = await send('GET', `/api/v2/case/${id}`, undefined, { 'if-match': version });
    assert.equal(changed.status, 200);
    // The version after the change, not the one before.
    assert.equal(changed.headers.get('etag'), added.headers.get('etag'));
    assert.notEqual(changed.headers.get('etag'), version);
  });

  it('changes the version in If-Match alone, and any without', async () => {
    const id = await aCase();
    const path = `/api/v2/case/${id}`;
    const version = (await send('GET', path)).headers.get('etag') ?? '';
    const first = await send('PUT', path, { title: 'Mine' }, { 'if-match': version });
    assert.deepEqual([first.status, first.json.api_response.title], [200, 'Mine']);
    assert.equal((await send('GET', path)).headers.get('etag'), first.headers.get('etag'));
    const late = await send('PUT', path, { title: 'Late' }, { 'if-match': version });
    assert.deepEqual([late.status, late.headers.get('x-error-code')], [409, 'version_conflict']);
    assert.equal((await send('GET', path)).json.api_response.title, 'Mine');
    assert.equal((await send('PUT', path, { title: 'Any' })).status, 200);
    const quoted = (await send('GET', path)).headers.get('etag');
    assert.equal((await send('PUT', path, { title: 'Quoted' }, { 'if-match': `"${quoted}"` })).status, 200);
  });

  it('changes a rule at the version in If-Match alone', async () => {
    const id = await aCase();
    const added = await send('POST', `/api/v2/case/${id}/rules`, { query: 'message:a', destination: 'd' });
    const version = added.headers.get('etag') ?? '';
    const path = `/api/v2/case/${id}/rules/${added.json.api_response.rules[0].rule_id}`;
    const changed = await send('PUT', path, { query: 'message:b' }, { 'if-match': version });
    assert.deepEqual([changed.status, changed.json.api_response.rules[0].query], [200, 'message:b']);
    assert.equal((await send('PUT', path, { query: 'message:c' }, { 'if-match': version })).status, 409);
    assert.equal((await send('PUT', path, { query: 'message:c' })).status, 200);
  });

  it('changes an item at the version in If-Match alone', async () => {
    const id = await aCase();
    const path = `/api/v2/case/${id}/items`;
    const added = await send('POST', path, { type: 'markdown', value: 'a', name: 'n' });
    const version = added.headers.get('etag') ?? '';
    const item = added.json.api_response.items[0].id;
    const write = (value: string, headers?: Record<string, string>) => send('PUT', path, { id: item, value }, headers);
    const changed = await write('b', { 'if-match': version });
    assert.deepEqual([changed.status, changed.json.api_response.items[0].value], [200, 'b']);
    const late = await write('c', { 'if-match': version });
    assert.deepEqual([late.status, late.headers.get('x-error-code')], [409, 'version_conflict']);
    assert.equal((await send('GET', `/api/v2/case/${id}`)).json.api_response.items[0].value, 'b');
    assert.equal((await write('c')).status, 200);
  });

  it('changes one of two versions that are written at once', async () => {
    const id = await aCase();
    const version = (await send('GET', `/api/v2/case/${id}`)).headers.get('etag') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send('PUT', `/api/v2/case/${id}`, { title: `T${index}` }, { 'if-match': version }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(409)]);
  });

  it('does not know a missing case, regardless of the version the caller has', async () => {
    const { status, json } = await send('GET', '/api/v2/case/none', undefined, { 'if-match': 'create' });
    assert.deepEqual([status, json.api_error_message], [404, 'Case does not exist']);
  });

  it('is found by searches as soon as an answer says so', async () => {
    const id = await aCase();
    await send('PUT', `/api/v2/case/${id}?refresh=wait_for`, { status: 'resolved' });
    const query = { query: `case_id:${id} AND status:resolved` };
    const { json } = await send('POST', '/api/v2/search/case', query);
    assert.equal(json.api_response.total, 1);
    assert.equal((await send('PUT', `/api/v2/case/${id}?refresh=maybe`, { title: 'x' })).status, 400);
  });

  it('hides cases above the caller, and lets only administrators delete', async () => {
    const id = await aCase({ classification: 'RESTRICTED' });
    for (const [method, path, json] of [
      ['GET', `/api/v2/case/${id}`],
      ['PUT', `/api/v2/case/${id}`, { title: 'x' }],
      ['DELETE', `/api/v2/case/${id}/items`, { ids: ['x'] }],
      ['PUT', `/api/v2/case/${id}/items`, { id: 'x', name: 'y' }],
      ['POST', `/api/v2/case/${id}/rules`, { query: 'x', destination: 'y' }],
      ['POST', `/api/v2/case/${id}/rules/x/backfill/count`, { since: '2025-01-01' }],
    ] as const) {
      const { status, json: answer } = await send(method, path, json, {}, HUEY);
      assert.deepEqual([status, answer.api_response], [404, { success: false }], `${method} ${path}`);
    }
    assert.equal((await send('POST', '/api/v2/case/hide', [id], {}, HUEY)).status, 204);
    assert.equal((await send('GET', `/api/v2/case/${id}`)).json.api_response.visible, true);
    assert.equal((await send('DELETE', '/api/v2/case', [id], {}, HUEY)).status, 403);
    assert.equal((await send('DELETE', '/api/v2/case', [id, 'none'])).status, 204);
    assert.equal((await send('GET', `/api/v2/case/${id}`)).status, 404);
  });

  it('refuses bodies that say nothing', async () => {
    const id = await aCase();
    for (const [method, path] of [
      ['POST', '/api/v2/case'],
      ['PUT', `/api/v2/case/${id}`],
      ['POST', '/api/v2/case/hide'],
      ['DELETE', '/api/v2/case'],
      ['POST', `/api/v2/case/${id}/items`],
      ['PUT', `/api/v2/case/${id}/items`],
      ['DELETE', `/api/v2/case/${id}/items`],
      ['POST', `/api/v2/case/${id}/rules`],
      ['POST', `/api/v2/case/${id}/rules/x/backfill`],
    ] as const) {
      for (const json of [null, [], 'x', 5]) {
        const { status, json: answer } = await send(method, path, json);
        assert.equal(status, 400, `${method} ${path} ${JSON.stringify(json)}`);
        assert.notEqual(answer.api_error_message, '');
      }
    }
  });

  it('reads items as they were meant', async () => {
    const id = await aCase();
    const items = `/api/v2/case/${id}/items`;
    const refused: readonly (readonly [string, unknown, string])[] = [
      ['DELETE', { ids: ['x'], force: 'yes' }, "'force' must be a boolean."],
      ['DELETE', { ids: 'x' }, "'ids' must be a non-empty list."],
      ['DELETE', { ids: [5] }, "All items in 'ids' must be strings."],
      ['PUT', { id: 5, name: 'x' }, "'id' must be a string."],
      ['PUT', { id: 'x', name: ' ' }, 'new_name must be a non-empty string'],
      ['PUT', { id: 'x', name: null }, 'new_name must be a non-empty string'],
      ['PUT', { id: 'x', parent: 5 }, "'parent' must be the identifier of a folder, or null."],
      ['POST', { value: 'x', name: 'y' }, "Field 'type' is required"],
    ];
    for (const [method, json, message] of refused) {
      const { status, json: answer } = await send(method, items, json);
      assert.deepEqual([status, answer.api_error_message], [400, message], JSON.stringify(json));
    }
    const added = await send('POST', items, { type: 'markdown', value: 'v', name: 'n' });
    const itemId = added.json.api_response.items[0].id;
    const renamed = await send('PUT', items, { id: itemId, name: ' new ' });
    assert.equal(renamed.json.api_response.items[0].name, 'new');
  });

  it('counts new cases', async () => {
    const { text } = await program.request('/metrics');
    assert.match(text, /created_cases_total\S* [1-9]/);
  });
});
