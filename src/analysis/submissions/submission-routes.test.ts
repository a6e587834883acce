import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../testing/analysis/analysis-program.ts';
import {
  aHeuristic,
  aResult,
  aResultFile,
  aSection,
  aSha256,
  resultKey,
} from '../../testing/analysis/result-builders.ts';
import { errorKey, seedSubmission } from '../../testing/analysis/seeded-submission.ts';

let program: AnalysisTestProgram;
const get = async (uname: string, path: string) => {
  const { status, json } = await program.as(uname, `/api/v4/submission/${path}`);
  return { status, answer: json.api_response, message: json.api_error_message };
};

const [ROOT, CHILD, SECRET] = [aSha256(1), aSha256(2), aSha256(3)];
const evil = aSection({
  heuristic: aHeuristic('MINI.1', 500),
  tags: { network: { static: { domain: ['evil.example'] } } },
  promote_to: 'ENTROPY',
});
const hidden = aSection({
  classification: 'TLP:AMBER',
  title_text: 'hidden',
  heuristic: aHeuristic('HIDDEN.1', 1000),
});
const ofRoot = aResult({
  sha256: ROOT,
  sections: [evil, hidden],
  extracted: [aResultFile({ sha256: CHILD, name: 'child.txt' }), aResultFile({ sha256: SECRET, name: 'hidden.txt' })],
});
const ofSecret = aResult({ sha256: SECRET, sections: [aSection({ title_text: 'hidden' })] });
const EMPTY = `${CHILD}.Mini.v4_7_4_25.c0.e`;

before(async () => {
  program = await startAnalysisTestProgram();
  await program.saveUser('ana', { classification: 'TLP:GREEN' });
  await program.saveUser('bob', { classification: 'TLP:AMBER' });
  await program.saveUser('root', { type: ['admin'], classification: 'TLP:AMBER+STRICT' });
  await seedSubmission(program.store, {
    sid: 'one',
    files: [{ sha256: ROOT }, { sha256: CHILD }, { sha256: SECRET, classification: 'TLP:AMBER', ascii: 'hidden' }],
    results: [ofRoot, ofSecret],
    keys: [EMPTY, `${ROOT}.Gone.v1.c0`],
    errors: { [ROOT]: 'it failed', [SECRET]: 'hidden failure' },
  });
  await seedSubmission(program.store, { sid: 'amber', classification: 'TLP:AMBER', files: [{ sha256: aSha256(9) }] });
  await seedSubmission(program.store, { sid: 'open', state: 'submitted', files: [{ sha256: aSha256(8) }] });
});
after(() => program.close());

describe('reading a submission', () => {
  it('shows all of it to those who may see everything', async () => {
    const { answer } = await get('bob', 'one/');
    assert.equal(answer.results.length, 4);
    assert.equal(answer.file_count, 3);
    const full = (await get('bob', 'full/one/')).answer;
    assert.deepEqual(Object.keys(full.file_infos).sort(), [ROOT, CHILD, SECRET]);
    assert.equal(Object.keys(full.results).length, 3);
    assert.deepEqual(full.missing_result_keys, [`${ROOT}.Gone.v1.c0`]);
    assert.equal(full.max_score, 1500);
    assert.equal(full.classification, 'TLP:AMBER');
    assert.equal((await get('bob', 'tree/one/')).answer.tree[ROOT].score, 1500);
  });

  it('never shows what is above the caller, and never counts it', async () => {
    for (const path of ['one/', 'full/one/', 'tree/one/', 'summary/one/', 'report/one/', `one/file/${ROOT}/`]) {
      const { status, answer } = await get('ana', path);
      assert.equal(status, 200, path);
      const text = JSON.stringify(answer);
      assert.doesNotMatch(text, /hidden|HIDDEN/, path);
      assert.ok(!text.includes(SECRET), path);
      assert.doesNotMatch(text, /\b1500\b/, path);
    }
    const full = (await get('ana', 'full/one/')).answer;
    assert.deepEqual([full.max_score, full.file_count, full.error_count], [500, 2, 1]);
    assert.deepEqual(Object.keys(full.errors), [errorKey(ROOT)]);
    assert.equal(full.results[resultKey(ofRoot)].result.score, 500);
    const tree = (await get('ana', 'tree/one/')).answer;
    assert.deepEqual(
      [tree.filtered, tree.tree[ROOT].score, Object.keys(tree.tree[ROOT].children)],
      [true, 500, [CHILD]],
    );
    const report = (await get('ana', 'report/one/')).answer;
    assert.equal(report.report_filtered, true);
    assert.equal(report.promoted_sections.length, 1);
    assert.deepEqual(report.params.services.errors, ['Mini']);
  });

  it('synthesises empty results', async () => {
    const full = (await get('ana', 'full/one/')).answer;
    assert.equal(full.results[EMPTY].result.score, 0);
    const file = (await get('ana', `one/file/${CHILD}/`)).answer;
    assert.deepEqual(
      file.results.map(({ section_hierarchy }: { section_hierarchy: unknown }) => section_hierarchy),
      [[]],
    );
  });

  it('keeps trees and summaries of each clearance apart', async () => {
    for (let again = 0; again < 2; again += 1) {
      assert.equal((await get('bob', 'summary/one/')).answer.heuristics.malicious[0][0], 'HIDDEN.1');
      assert.equal((await get('ana', 'summary/one/')).answer.heuristics.malicious, undefined);
    }
  });

  it('is refused above the caller, and to those who ask for nothing that exists', async () => {
    for (const path of ['amber/', 'full/amber/', 'tree/amber/', 'summary/amber/', 'report/amber/']) {
      const { status, message } = await get('ana', path);
      assert.deepEqual([status, message], [403, 'You are not allowed to view the data of this submission'], path);
    }
    assert.equal((await get('ana', 'is_completed/amber/')).status, 404);
    assert.equal((await get('bob', 'is_completed/amber/')).answer, true);
    assert.equal((await get('ana', `one/file/${SECRET}/`)).status, 403);
    const missing = await get('ana', `one/file/${aSha256(77)}/`);
    assert.deepEqual([missing.status, missing.answer.missing], [404, true]);
    assert.equal((await get('ana', 'full/nope/')).status, 404);
  });

  it('reports only what is completed', async () => {
    assert.equal((await get('ana', 'report/open/')).status, 425);
    assert.equal((await get('ana', 'is_completed/open/')).answer, false);
    assert.equal((await get('ana', 'tree/open/')).answer.partial, true);
  });

  it('takes keys of a live page while the submission is under way alone', async () => {
    const post = async (sid: string, json: unknown) => {
      const path = `/api/v4/submission/${sid}/file/${ROOT}/`;
      return (await program.as('ana', path, { method: 'POST', json })).json.api_response.results.length;
    };
    const keys = { extra_result_keys: [resultKey(ofRoot)], extra_error_keys: ['x'] };
    assert.deepEqual(
      [await post('open', keys), await post('open', {}), await post('amber', {}).catch(() => 0)],
      [1, 0, 0],
    );
  });
});

describe('lists of submissions', () => {
  it('are those that the caller may see, the newest first', async () => {
    const { answer } = await get('ana', 'list/user/ana/');
    assert.deepEqual([answer.total, answer.rows, answer.offset], [2, 100, 0]);
    assert.equal((await get('bob', 'list/group/ALL/')).answer.total, 3);
    assert.equal((await get('bob', 'list/group/OTHERS/')).answer.total, 0);
    assert.equal(
      (await get('ana', 'list/user/ana/?query=sid:one&filters=max_score:[0 TO *]')).answer.items[0].id,
      'one',
    );
  });

  it('refuse what cannot be read', async () => {
    for (const query of ['rows=abc', 'rows=-1', 'offset=10001&rows=1', 'query=((', 'filters=((']) {
      assert.equal((await get('ana', `list/user/ana/?${query}`)).status, 400, query);
    }
    assert.match((await get('ana', 'list/user/ana/?query=((')).message, /^SearchException: /);
    assert.equal((await get('root', 'list/user/ghost/')).status, 404);
    assert.equal((await get('bob', 'list/user/ana/')).status, 403);
  });
});

describe('verdicts', () => {
  const judge = async (uname: string, path: string) =>
    await program.as(uname, `/api/v4/submission/verdict/${path}/`, { method: 'PUT' });

  it('replace the opposite verdict of the same user', async () => {
    await judge('ana', 'one/malicious');
    await judge('ana', 'one/malicious');
    await judge('bob', 'one/non_malicious');
    assert.deepEqual((await get('ana', 'one/')).answer.verdict, { malicious: ['ana'], non_malicious: ['bob'] });
    await judge('ana', 'one/non_malicious');
    assert.deepEqual((await get('ana', 'one/')).answer.verdict, { malicious: [], non_malicious: ['bob', 'ana'] });
  });

  it('are refused for other words, and for what the caller may not see', async () => {
    const maybe = await judge('ana', 'one/maybe');
    assert.deepEqual([maybe.status, maybe.json.api_response], [400, { success: false }]);
    assert.equal((await judge('ana', 'amber/malicious')).status, 403);
    assert.equal((await judge('ana', 'nope/malicious')).status, 404);
  });
});
