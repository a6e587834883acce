import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

const ADMIN = 'caller:long enough for all';

let program: TestProgram;
before(async () => {
  // An ordinary installation: what searches find follows from the classification.
  program = await startTestProgram({ demo: 'none' });
  await program.foundation.accounts.create('caller', {
    name: 'Caller',
    new_pass: 'long enough for all',
    type: ['user'],
  });
  const tasks = ['a', 'b', 'c'].map((id) => ({ id, summary: id, assignment: 'caller', complete: id === 'c' }));
  const made = await program.request('/api/v2/case', {
    method: 'POST',
    basic: ADMIN,
    json: { title: 'T', summary: 'S', tasks },
  });
  assert.equal(made.status, 201);
});
after(() => program.close());

const search = (query = '') => program.request(`/api/v2/task/search${query}`, { basic: ADMIN });

describe('/api/v2/task/search', () => {
  it('lists what the caller has to do, 25 at a time, to users who log in by password', async () => {
    const { status, json } = await search();
    assert.equal(status, 200);
    const { items, ...page } = json.api_response;
    assert.deepEqual(page, { offset: 0, rows: 25, has_more: false });
    assert.deepEqual(
      items.map((item: { task: { id: string } }) => item.task.id),
      ['a', 'b'],
    );
    assert.equal(items[0].case.title, 'T');
  });

  it('takes a page and a filter', async () => {
    const { json } = await search('?filter=all&offset=1&rows=1');
    assert.deepEqual([json.api_response.items[0].task.id, json.api_response.has_more], ['b', true]);
    assert.equal((await search('?filter=complete')).json.api_response.items[0].task.id, 'c');
  });

  it('refuses arguments that are none', async () => {
    for (const [query, message] of [
      ['?rows=0', "'rows' must be at least 1."],
      ['?rows=101', "'rows' must be at most 100."],
      ['?rows=1e1', "'rows' must be an integer."],
      ['?rows=', "'rows' must be an integer."],
      ['?rows=%D9%A1', "'rows' must be an integer."],
      ['?offset=-1', "'offset' must be an integer."],
      ['?offset=99999999999999999999', "'offset' must be an integer."],
      ['?filter=', "'filter' must be one of: all, complete, incomplete."],
    ] as const) {
      const { status, json } = await search(query);
      assert.deepEqual([status, json.api_error_message], [400, message], query);
    }
  });
});
