import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_CURSORS_OF_USER } from '../../src/search/search-cursors.ts';
import type { TestAnswer } from '../../src/testing/start-test-program.ts';
import { type AttackedProgram, startAttackedProgram } from './attacked-program.ts';

const ATTACKER = 'user:devkey:user';
const OTHER = 'admin:devkey:admin';

let program: AttackedProgram;
before(async () => {
  program = await startAttackedProgram();
  const hits = Array.from({ length: 5 }, (_, index) => ({
    howler: { analytic: 'Cursor attack' },
    message: `alert ${index}`,
  }));
  const answer = await program.request('/api/v1/hit?refresh=true', { method: 'POST', basic: OTHER, json: hits });
  assert.equal(answer.status, 201, answer.text);
});
after(() => program.stop());

const page = (basic: string, id: string, path = '/api/v1/search/hit', rows = 1): Promise<TestAnswer> =>
  program.request(path, { method: 'POST', basic, json: { query: '*:*', rows, deep_paging_id: id } });

describe('cursors of one user', () => {
  it('are limited, and leave those of others and the streams of the program alone', async () => {
    const opened = await program.attackBesideOthers(async () => {
      const answers: TestAnswer[] = [];
      for (let index = 0; index < 520; index += 4) {
        const path = index % 8 === 0 ? '/api/v1/search/hit' : '/api/v2/search/hit,event';
        answers.push(...(await Promise.all(Array.from({ length: 4 }, () => page(ATTACKER, '*', path)))));
      }
      return answers;
    });
    const refused = opened.filter(({ status }) => status !== 200);
    assert.equal(opened.length - refused.length, MAX_CURSORS_OF_USER);
    for (const answer of refused) {
      assert.equal(answer.status, 429);
      assert.match(answer.json.api_error_message, new RegExp(`${MAX_CURSORS_OF_USER} deep pagings`));
      assert.ok(answer.headers.has('retry-after'));
    }

    assert.equal((await page(OTHER, '*')).status, 200, 'paging of another user');
    for (const basic of [ATTACKER, OTHER]) {
      const query = (path: string, method: string, json?: unknown) => program.request(path, { method, basic, json });
      const plain = await query('/api/v1/search/hit', 'POST', { query: '*:*' });
      assert.equal(plain.status, 200, 'a search without a cursor');
      const update = { query: 'message:"alert 1"', operations: [['SET', 'message', 'alert 1']] };
      assert.equal((await query('/api/v1/hit/update', 'PUT', update)).status, 200, 'an update by query');
      assert.equal((await query('/api/v1/dossier/groups?prefix=a', 'GET')).status, 200, 'groups of pivots');
    }
  });

  it('give their share back at the end, and while they are read they keep it', async () => {
    const refused = await page(ATTACKER, '*');
    assert.equal(refused.status, 429);
    const basic = 'huey:devkey:huey';
    const begun = await Promise.all(Array.from({ length: MAX_CURSORS_OF_USER }, () => page(basic, '*')));
    assert.equal((await page(basic, '*')).status, 429);
    const ids = begun.map(({ json }) => json.api_response.next_deep_paging_id as string);
    const second = await page(basic, ids[0] ?? '');
    assert.equal(second.status, 200, second.text);
    assert.equal((await page(basic, ids[0] ?? '')).status, 200, 'the same page again');
    assert.equal((await page(basic, '*')).status, 429, 'a page that is read twice takes no second share');
    const last = await page(basic, second.json.api_response.next_deep_paging_id, '/api/v1/search/hit', 100);
    assert.equal(last.json.api_response.next_deep_paging_id, undefined);
    assert.equal((await page(basic, '*')).status, 200, 'one was read to its end');
    assert.equal((await page(basic, '*')).status, 429);
  });

  it('that are refused, or end with their first page, take no share', async () => {
    const basic = OTHER;
    for (let index = 0; index <= MAX_CURSORS_OF_USER; index += 1) {
      assert.equal((await page(basic, '*', '/api/v1/search/hit', 100)).status, 200);
      const broken = { query: 'a:[', rows: 1, deep_paging_id: '*' };
      assert.equal((await program.request('/api/v1/search/hit', { method: 'POST', basic, json: broken })).status, 400);
    }
    assert.equal((await page(basic, '*')).status, 200);
  });
});
