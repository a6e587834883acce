import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  startTestProgram,
  type TestAnswer,
  type TestProgram,
  type TestRequest,
} from '../src/testing/start-test-program.ts';

const ADMIN = 'admin:devkey:admin';

/** Answers on which clients of the public system rely and which no recorded conversation holds. */
describe('compatibility with the public alert system', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram();
  });
  after(() => program.close());

  const send = (path: string, request: TestRequest = {}): Promise<TestAnswer> =>
    program.request(`/api/v1/${path}`, { basic: ADMIN, ...request });
  const post = (path: string, json: unknown) => send(path, { method: 'POST', json });

  describe('grouped search', () => {
    it('shows 2,500 documents of a group, up to the result window, and refuses more', async () => {
      const hits = Array.from({ length: 120 }, () => ({ howler: { analytic: 'grouped' } }));
      assert.equal((await post('hit/?refresh=true', hits)).status, 201);
      const query = 'howler.analytic:grouped';
      for (const limit of [2500, 10_000]) {
        const { status, json } = await post('search/grouped/hit/howler.analytic', {
          query,
          limit,
          rows: 2500,
          fl: 'howler.id',
        });
        assert.equal(status, 200);
        assert.equal(json.api_response.items[0].items.length, 120);
      }
      const { status, json } = await post('search/grouped/hit/howler.analytic', { query, limit: 10_001 });
      assert.equal(status, 400);
      assert.match(json.api_error_message, /limit.*10000/);
    });
  });

  describe('templates and overviews', () => {
    for (const { path, more } of [
      { path: 'template', more: { type: 'global', keys: ['howler.id'] } },
      { path: 'template', more: { type: 'personal', keys: ['howler.id'] } },
      { path: 'overview', more: { content: 'Text' } },
    ]) {
      it(`refuses a second ${'type' in more ? more.type : ''} ${path} for an analytic, with and without detection`, async () => {
        const create = async (input: object) =>
          (await post(`${path}?refresh=true`, { analytic: 'Analytic', ...more, ...input })).status;
        const statuses: number[] = [];
        for (const input of [
          {},
          {},
          { detection: 'one' },
          { detection: 'one' },
          { detection: 'two' },
          { analytic: 'Other' },
          { analytic: 'Two words' },
          { analytic: 'Two words' },
        ]) {
          statuses.push(await create(input));
        }
        assert.deepEqual(statuses, [201, 409, 201, 409, 201, 201, 201, 201]);
      });
    }
  });
});
