import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { errorDocument } from '../../documents/kinds/analysis/error.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { submissionTreeDocument } from '../../documents/kinds/analysis/submission-tree.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../testing/analysis/analysis-program.ts';
import { aResult, aResultFile, aSha256, resultKey } from '../../testing/analysis/result-builders.ts';
import { errorKey, seedFile, seedSubmission } from '../../testing/analysis/seeded-submission.ts';
import { ArchiveScopes } from '../archive-access/archive-scopes.ts';
import { openAnalysisFiles } from '../files/open-analysis-files.ts';
import { openReading } from '../reading-resource.ts';

const ACCESS = unrestricted('the test looks at everything');
let program: AnalysisTestProgram;
before(async () => {
  program = await startAnalysisTestProgram();
  await program.saveUser('ana', { classification: 'TLP:AMBER' });
  await program.saveUser('bob', { classification: 'TLP:AMBER' });
  await program.saveUser('low');
  await program.saveUser('root', { type: ['admin'], classification: 'TLP:AMBER' });
});
after(() => program.close());

const stored = <T>(definition: DocumentDefinition<T>, id: string) =>
  program.foundation.datastore.collection(definition).get(id, ACCESS);
const remove = (uname: string, sid: string) => program.as(uname, `/api/v4/submission/${sid}/`, { method: 'DELETE' });
const keepBytes = async (text: string) => (await program.foundation.files.put(Buffer.from(text))).sha256;

describe('deleting a submission', () => {
  it('is for its submitter and administrators; others are told that there is none', async () => {
    await seedSubmission(program.store, { sid: 'own', submitter: 'ana', files: [{ sha256: aSha256(1) }] });
    await seedSubmission(program.store, { sid: 'high', submitter: 'low', classification: 'TLP:AMBER', files: [] });
    for (const [uname, sid] of [
      ['bob', 'own'],
      ['low', 'high'],
      ['root', 'nope'],
    ] as const) {
      const { status, json } = await remove(uname, sid);
      assert.deepEqual([status, json.api_error_message], [404, `There is no submission with sid: ${sid}`], uname);
    }
    assert.deepEqual((await remove('ana', 'own')).json.api_response, { success: true });
    assert.equal((await remove('root', 'high')).status, 200);
    assert.equal((await remove('ana', 'own')).status, 404);
  });

  it('removes what only it refers to, bytes included, and leaves the rest', async () => {
    const [root, child, shared, extra, commonExtra] = (await Promise.all(
      ['root', 'child', 'shared', 'extra', 'common extra'].map(keepBytes),
    )) as [string, string, string, string, string];
    const ofRoot = aResult({
      sha256: root,
      extracted: [aResultFile({ sha256: child }), aResultFile({ sha256: shared })],
      supplementary: [aResultFile({ sha256: extra }), aResultFile({ sha256: commonExtra })],
    });
    const ofShared = aResult({ sha256: shared });
    const more = aResult({ sha256: shared, service: 'More', supplementary: [aResultFile({ sha256: commonExtra })] });
    for (const sha256 of [extra, commonExtra]) await seedFile(program.store, { sha256 });
    await seedSubmission(program.store, {
      ...{ sid: 'first', submitter: 'ana', files: [{ sha256: root }, { sha256: child }, { sha256: shared }] },
      ...{ results: [ofRoot, ofShared], errors: { [child]: 'x', [shared]: 'y' } },
    });
    await seedSubmission(program.store, {
      ...{ sid: 'second', submitter: 'bob', files: [{ sha256: shared }], results: [more], errors: { [shared]: 'y' } },
    });
    assert.equal((await remove('ana', 'first')).status, 200);
    for (const sha256 of [root, child, extra]) {
      assert.equal(await stored(fileDocument, sha256), undefined);
      assert.equal(await program.foundation.files.stat(sha256), undefined);
    }
    for (const sha256 of [shared, commonExtra]) {
      assert.ok(await stored(fileDocument, sha256));
      assert.ok(await program.foundation.files.stat(sha256));
    }
    assert.equal(await stored(resultDocument, resultKey(ofRoot)), undefined);
    assert.equal(await stored(resultDocument, resultKey(ofShared)), undefined);
    assert.ok(await stored(resultDocument, resultKey(more)));
    assert.equal(await stored(errorDocument, errorKey(child)), undefined);
    assert.ok(await stored(errorDocument, errorKey(shared)));
  });

  it('leaves content that a caller holds to expiry', async () => {
    const sha256 = await keepBytes('held');
    await seedSubmission(program.store, { sid: 'held', submitter: 'ana', files: [{ sha256 }] });
    await program.foundation.coordination.tokens.put(`file-hold:${sha256}`, 'someone', 60_000);
    await remove('ana', 'held');
    const file = await stored(fileDocument, sha256);
    assert.ok(file?.expiry_ts && file.expiry_ts <= new Date().toISOString());
    assert.ok(await program.foundation.files.stat(sha256));
  });

  it('raises files and results that stay, where it was what had lowered them, and drops kept trees', async () => {
    const [low, other] = [aSha256(20), aSha256(21)];
    const ofLow = aResult({ sha256: low, service: 'Late' });
    await seedSubmission(program.store, { sid: 'low', submitter: 'ana', files: [{ sha256: low }, { sha256: other }] });
    await seedSubmission(program.store, {
      ...{ sid: 'amber', submitter: 'ana', classification: 'TLP:AMBER' },
      ...{ files: [{ sha256: low }, { sha256: other, classification: 'TLP:GREEN' }], results: [ofLow] },
      metadata: {},
    });
    await program.as('ana', '/api/v4/submission/tree/amber/');
    const trees = program.foundation.datastore.collection(submissionTreeDocument);
    const kept = () => trees.count({ query: { kind: 'prefix', field: 'id', value: 'amber_' } }, ACCESS);
    assert.equal(await kept(), 1);
    await remove('ana', 'low');
    assert.equal((await stored(fileDocument, low))?.classification, 'TLP:AMBER');
    assert.equal((await stored(resultDocument, resultKey(ofLow)))?.classification, 'TLP:AMBER');
    assert.equal(await kept(), 0);
    assert.equal((await program.as('low', `/api/v4/file/score/${low}/`)).status, 403, 'the hidden fields follow');
    assert.equal((await program.as('low', `/api/v4/file/score/${low}/`)).status, 403);
  });

  it('continues after an interruption', async () => {
    const { datastore, coordination, files: storage, classification, users } = program.foundation;
    await seedSubmission(program.store, { sid: 'begun', submitter: 'ana', files: [{ sha256: aSha256(30) }] });
    const submissions = datastore.collection(submissionDocument);
    await submissions.update('begun', [{ op: 'set', path: 'to_be_deleted', value: true }], { visible: 'now' });
    const log = { info() {}, warn() {}, error() {} };
    const { files, use: fileUse } = openAnalysisFiles({ datastore, coordination, storage, classification, log });
    const cancelled: string[] = [];
    const { deletion } = openReading({
      ...{ datastore, storage, files, fileUse, classification, users, log, settings: program.config, version: '1' },
      services: { get: () => Promise.resolve(undefined), all: async () => [] },
      rescans: { assertValid() {}, scanKeyOf: (sid) => sid, start: async () => undefined },
      archived: undefined,
      scopes: new ArchiveScopes({ datastore, hasArchive: false }),
      cancel: async (sid) => cancelled.push(sid),
    });
    assert.equal(await deletion.resume(), 1);
    assert.equal(await stored(submissionDocument, 'begun'), undefined);
    assert.deepEqual(cancelled, ['begun']);
    assert.equal(await deletion.resume(), 0);
  });
});
