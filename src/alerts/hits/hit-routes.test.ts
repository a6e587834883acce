import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestProgram, type TestAnswer, type TestProgram } from '../../testing/start-test-program.ts';

const ADMIN = 'admin:devkey:admin';

let program: TestProgram;
let hitId = '';
before(async () => {
  program = await startTestProgram();
  hitId = await createHit({ 'howler.analytic': 'Route Probe', tags: ['a'] });
});
after(() => program.close());

const send = (method: string, path: string, json?: unknown) =>
  program.request(path, { method, basic: ADMIN, ...(json === undefined ? {} : { json }) });

async function createHit(fields: Record<string, unknown>): Promise<string> {
  const { json } = await send('POST', '/api/v1/hit?refresh=true', [fields]);
  return json.api_response.valid[0].howler.id;
}

async function storedHits(): Promise<number> {
  const { json } = await send('POST', '/api/v1/search/count/hit', { query: '*:*' });
  return json.api_response.count;
}

function assertRefused({ status, json, text }: TestAnswer, where: string): void {
  assert.ok(status >= 400 && status < 500, `${where}: ${status} ${text.slice(0, 200)}`);
  assert.equal(json?.api_status_code, status, where);
  assert.ok('api_response' in json && 'api_error_message' in json && 'api_warning' in json, where);
}

describe('what is not an alert', () => {
  const BAD: readonly unknown[] = [
    null,
    5,
    'text',
    [],
    {},
    { 'howler.analytic': '' },
    { 'howler.analytic': 'P', 'howler.nope': 1 },
    { 'howler.analytic': 'P', 'howler.comment': 'x' },
    { 'howler.analytic': 'P', 'howler.data': { a: 1 } },
    { 'howler.analytic': 'P', 'source.port': 2 ** 40 },
    { 'howler.analytic': 'P', 'source.port': 'NaN' },
    { 'howler.analytic': 'P', 'file.size': '9'.repeat(5000) },
    { 'howler.analytic': 'P', 'howler.score': 1e300 },
    { 'howler.analytic': 'P', 'event.created': -1e300 },
    { 'howler.analytic': 'P', labels: { 'BAD KEY': 'x' } },
    { 'howler.analytic': 'P', constructor: { prototype: 1 } },
    { 'howler.analytic': 'P', classification: 'NOPE' },
    { 'howler.analytic': 'P', classification: 5 },
  ];

  for (const [index, bad] of BAD.entries()) {
    it(`is refused with the rest of the batch: ${JSON.stringify(bad)?.slice(0, 80)}`, async () => {
      const before = await storedHits();
      const answer = await send('POST', '/api/v1/hit?refresh=true', [{ 'howler.analytic': 'Probe' }, bad]);
      assertRefused(answer, String(index));
      assert.equal(answer.json.api_response.invalid.length, 1);
      assert.equal(answer.json.api_response.valid.length, 1);
      assert.equal(await storedHits(), before);
      const { json } = await send('POST', '/api/v1/hit/validate', [bad]);
      assert.deepEqual([json.api_response.valid.length, json.api_response.invalid.length], [0, 1]);
    });
  }
});

describe('text of 10 MB', () => {
  it('is refused, and nothing of its batch is stored', async () => {
    const before = await storedHits();
    const big = 'x'.repeat(10_000_000);
    assertRefused(await send('POST', '/api/v1/hit', [{ 'howler.analytic': 'Probe', message: big }]), 'big');
    assert.equal(await storedHits(), before);
  });
});

describe('odd arguments', () => {
  it('of refresh are refused before anything is done', async () => {
    const before = await storedHits();
    const answer = await send('POST', '/api/v1/hit?refresh=MAYBE', [{ 'howler.analytic': 'Probe' }]);
    assertRefused(answer, 'refresh');
    assert.equal(answer.json.api_error_message, 'Invalid refresh option: [maybe]');
    assert.equal(await storedHits(), before);
  });

  it('of the assigned list are refused or count as not given', async () => {
    for (const query of [
      'rows=99999',
      'offset=999999999',
      'sort=nope asc',
      'sort=howler.score',
      'sort=howler.score up',
    ]) {
      assertRefused(await send('GET', `/api/v1/hit/user?${query.replaceAll(' ', '%20')}`), query);
    }
    for (const query of ['rows=-1', 'rows=x', 'offset=-5', 'fl=', 'fl=nope', 'rows=1e9']) {
      assert.equal((await send('GET', `/api/v1/hit/user?${query}`)).status, 200, query);
    }
  });

  it('in the path find nothing', async () => {
    for (const id of ['none', '%00', '%2F', 'a'.repeat(5000), '__proto__', '%ff', '%F0%9F%98%80', '*']) {
      assertRefused(await send('GET', `/api/v1/hit/${id}`), id.slice(0, 20));
    }
  });
});

describe('updating by query', () => {
  it('refuses what is not a query with operations', async () => {
    const operations = [['SET', 'message', 'x']];
    for (const body of [
      { query: 5, operations },
      { query: '*:*', operations: {} },
      { query: '*:*', operations: 'x' },
      [],
    ]) {
      assertRefused(await send('PUT', '/api/v1/hit/update', body), JSON.stringify(body));
    }
  });
});

describe('numbers that grow beyond their field', () => {
  it('are refused or kept, never a failure of the program', async () => {
    const id = await createHit({ 'howler.analytic': 'Route Probe', 'event.severity': 2_147_483_647 });
    const { status } = await send('PUT', `/api/v1/hit/${id}/update?refresh=true`, [
      ['INC', 'event.severity', 2_147_483_647],
    ]);
    assert.ok(status < 500, String(status));
    const query = `howler.id:${id} AND event.severity:>2147483647`;
    const found = await send('POST', '/api/v1/search/count/hit', { query });
    assert.ok(found.status < 500, found.text);
  });
});

describe('deleting alerts', () => {
  it('names those that do not exist, and takes one that is named twice', async () => {
    const id = await createHit({ 'howler.analytic': 'Route Probe' });
    assertRefused(await send('DELETE', '/api/v1/hit', [id, 5]), 'a number');
    assertRefused(await send('DELETE', '/api/v1/hit', { id }), 'an object');
    assertRefused(await send('DELETE', '/api/v1/hit', [id, 'none']), 'none');
    assert.equal((await send('DELETE', '/api/v1/hit', [id, id])).status, 204);
  });
});

describe('versions', () => {
  it('come with every alert, and an unchanged one is not sent again', async () => {
    const first = await send('GET', `/api/v1/hit/${hitId}`);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^\d+---\d+$/);
    const again = await program.request(`/api/v1/hit/${hitId}`, { basic: ADMIN, headers: { 'if-match': etag } });
    assert.deepEqual([again.status, again.text], [304, '']);
    const changed = await send('PUT', `/api/v1/hit/${hitId}/update`, [['APPEND', 'tags', 'b']]);
    assert.notEqual(changed.headers.get('etag'), etag);
    const fresh = await program.request(`/api/v1/hit/${hitId}`, { basic: ADMIN, headers: { 'if-match': etag } });
    assert.equal(fresh.status, 200);
  });
});

describe('a former triage', () => {
  const OPEN = { status: 'open', assignment: 'unassigned', escalation: 'hit' };
  const restore = (id: string, body: object, version?: string) =>
    program.request(`/api/v1/hit/${id}/triage`, {
      basic: ADMIN,
      method: 'PUT',
      json: body,
      headers: version === undefined ? {} : { 'if-match': version },
    });

  it('is put back to the version in If-Match alone, and refused with the field that is wrong', async () => {
    const id = await createHit({ 'howler.analytic': 'Route Probe' });
    const taken = await send('POST', `/api/v1/hit/${id}/transition`, { transition: 'assign_to_me' });
    const version = taken.headers.get('etag') ?? '';
    for (const wrong of [{}, { ...OPEN, status: 'shut' }, { ...OPEN, assessment: 'x' }, { ...OPEN, triaged: 'soon' }]) {
      assertRefused(await restore(id, wrong, version), JSON.stringify(wrong));
    }
    const restored = await restore(id, OPEN, version);
    assert.equal(restored.status, 200, restored.text);
    assert.notEqual(restored.headers.get('etag'), version);
    assert.equal((await restore(id, OPEN, '9---9')).status, 200, 'nothing to change');
    assert.equal((await restore(id, { ...OPEN, escalation: 'alert' }, version)).status, 409);
    assert.equal((await restore('none', OPEN)).status, 404);
  });
});
