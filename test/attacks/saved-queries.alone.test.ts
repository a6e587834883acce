import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openEmbeddedDatastore } from '../../src/datastore/embedded/embedded-datastore.ts';
import { dossierDocument } from '../../src/documents/kinds/dossier.ts';
import { readDocument } from '../../src/documents/schema/read-document.ts';
import { spawnProgram } from '../../src/testing/spawn-program.ts';
import type { TestAnswer } from '../../src/testing/start-test-program.ts';
import { type AttackedProgram, startAttackedProgram } from './attacked-program.ts';

const ATTACKER = 'user:devkey:user';
const VICTIM = 'admin:devkey:admin';
/** A value as long as the longest that is indexed. */
const RATIONALE = 'abcde'.repeat(1600);
const TOO_COMPLEX = 'howler.rationale:/(.{1,200}){1,100}/';
const TOO_LONG = 'ab '.repeat(233_333);
/** Allowed, but costly to compile. */
const costly = (number: number) => `howler.rationale:/.*a.{9}${number}/`;

let folder: string;
let program: AttackedProgram;
let alert: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triad-saved-queries-'));
  await (await spawnProgram({ flags: ['--demo=users'], dataFolder: folder })).stop();
  await storeDossiersOfOlderVersions();
  program = await startAttackedProgram({ flags: [], dataFolder: folder });
  const created = await send(VICTIM, 'POST', '/api/v1/hit', [
    { howler: { analytic: 'Saved queries', rationale: RATIONALE }, message: 'm' },
  ]);
  assert.equal(created.status, 201, created.text);
  alert = created.json.api_response.valid[0].howler.id;
});
after(async () => {
  await program.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Stored before queries had limits: nothing but the program's own datastore takes them. */
async function storeDossiersOfOlderVersions(): Promise<void> {
  const datastore = await openEmbeddedDatastore({ folder, prefix: 'svc' });
  const dossiers = datastore.collection(dossierDocument);
  const queries = [...Array.from({ length: 4 }, () => TOO_COMPLEX), ...Array.from({ length: 10 }, () => TOO_LONG)];
  for (const [at, query] of queries.entries()) {
    const input = { dossier_id: `old-${at}`, title: `Old ${at}`, query, owner: 'user', type: 'global' };
    const { document } = readDocument(dossierDocument, input, { unknown: 'refuse' });
    await dossiers.save(document.dossier_id, document);
  }
  await datastore.close();
}

const send = (basic: string, method: string, path: string, json?: unknown): Promise<TestAnswer> =>
  program.request(path, { method, basic, json });

const aDossier = (title: string, query: string) => ({ title, query, type: 'global' });

const opened = async (): Promise<readonly { title: string }[]> => {
  const { status, json, text } = await send(VICTIM, 'GET', `/api/v1/hit/${alert}?metadata=dossiers`);
  assert.equal(status, 200, text.slice(0, 300));
  return json.api_response.__dossiers;
};

describe('saved queries', () => {
  it('that are stored already and over the limits delay no reader of alerts', async () => {
    const created = await send(VICTIM, 'POST', '/api/v1/dossier', aDossier('Mine', 'howler.analytic:"Saved queries"'));
    assert.equal(created.status, 201, created.text);
    const titles = await program.attackBesideOthers(async () => (await opened()).map(({ title }) => title));
    assert.deepEqual(titles, ['Mine']);
    const list = await program.attackBesideOthers(() =>
      send(VICTIM, 'POST', '/api/v2/search/hit', { query: '*:*', rows: 25, metadata: ['dossiers'] }),
    );
    assert.equal(list.status, 200, list.text.slice(0, 300));
    const dossier = await send(ATTACKER, 'GET', '/api/v1/dossier/old-0');
    assert.match(dossier.json.api_response.__query_problem, /more than 125000 steps/);
    const mine = await send(VICTIM, 'GET', `/api/v1/dossier/${created.json.api_response.dossier_id}`);
    assert.equal(mine.json.api_response.__query_problem, undefined);
    const metrics = await program.request('/metrics', { basic: VICTIM });
    assert.match(metrics.text, /saved_queries_skipped_total\{reason="query_too_complex"\} [1-9]/);
  });

  it('have the limits of live ones at creation and change', async () => {
    const dossier = await send(ATTACKER, 'POST', '/api/v1/dossier', aDossier('Good', 'a:b'));
    const view = await send(ATTACKER, 'POST', '/api/v1/view', { title: 'Good', query: 'a:b', type: 'global' });
    const file = await send(ATTACKER, 'POST', '/api/v2/case', { title: 'Good', summary: 's' });
    assert.deepEqual([dossier.status, view.status, file.status], [201, 201, 201], file.text);
    const dossierPath = `/api/v1/dossier/${dossier.json.api_response.dossier_id}`;
    const viewPath = `/api/v1/view/${view.json.api_response.view_id}`;
    const casePath = `/api/v2/case/${file.json.api_response.case_id}`;
    const operations = [{ operation_id: 'add_label', data_json: '{"category":"generic","label":"x"}' }];
    await program.attackBesideOthers(async () => {
      for (const [query, limit] of [
        [TOO_COMPLEX, /125000 steps/],
        [TOO_LONG, /at most 100000 are allowed/],
      ] as const) {
        const rule = { query, destination: 'd', author: 'user' };
        for (const [method, path, json] of [
          ['POST', '/api/v1/dossier', aDossier('Bad', query)],
          ['PUT', dossierPath, { query }],
          ['POST', '/api/v1/view', { title: 'Bad', query, type: 'global' }],
          ['PUT', viewPath, { query }],
          ['POST', '/api/v1/action', { name: 'Bad', query, operations }],
          ['POST', `${casePath}/rules`, rule],
          ['PUT', casePath, { rules: [rule] }],
          ['POST', '/api/v2/case', { title: 'Bad', summary: 's', rules: [rule] }],
          ['POST', '/api/v1/search/hit', { query }],
        ] as const) {
          const answer = await send(VICTIM, method, path, json);
          assert.equal(answer.status, 400, `${method} ${path}: ${answer.text.slice(0, 300)}`);
          assert.match(answer.json.api_error_message, limit, `${method} ${path}`);
        }
      }
    });
    assert.equal((await send(ATTACKER, 'GET', dossierPath)).json.api_response.query, 'a:b');
    for (const index of ['dossier', 'view', 'action', 'case']) {
      const bad = await send(VICTIM, 'POST', `/api/v1/search/${index}`, { query: 'title:Bad OR name:Bad' });
      assert.equal(bad.json.api_response.total, 0, index);
    }
  });

  it('of one owner that are allowed and costly take a share of a request, and leave those of others alone', async () => {
    for (let number = 0; number < 30; number += 1) {
      const answer = await send(ATTACKER, 'POST', '/api/v1/dossier', aDossier(`Costly ${number}`, costly(number)));
      assert.equal(answer.status, 201, answer.text.slice(0, 300));
    }
    const titles = await program.attackBesideOthers(async () => (await opened()).map(({ title }) => title));
    assert.ok(titles.includes('Mine'), titles.join(', '));
    const list = await send(ATTACKER, 'GET', '/api/v1/dossier');
    const problems = list.json.api_response.flatMap((one: { __query_problem?: string }) => one.__query_problem ?? []);
    assert.ok(
      problems.some((problem: string) => /queries of user took more than 1000000 steps/.test(problem)),
      problems.join('\n').slice(0, 500),
    );
  });
});
