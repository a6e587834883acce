import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../testing/analysis/analysis-program.ts';
import { aResult, aResultFile, aSection, aSha256 } from '../../testing/analysis/result-builders.ts';
import { seedSubmission } from '../../testing/analysis/seeded-submission.ts';

const [ROOT, CHILD] = [aSha256(1), aSha256(2)];
let program: AnalysisTestProgram;
const keep = async (record: object | string) => {
  const text = typeof record === 'string' ? record : JSON.stringify(record);
  return (await program.foundation.files.put(Buffer.from(text))).sha256;
};
const aRecord = (sha256: string, classification: string, mark: string) =>
  keep({ file: { sha256, names: ['x'], parent: 'y' }, classification, submission: { kept: mark } });

before(async () => {
  program = await startAnalysisTestProgram();
  await program.saveUser('ana', { classification: 'TLP:GREEN' });
  await program.saveUser('bob', { classification: 'TLP:AMBER' });
  const attached = async (...records: Promise<string>[]) =>
    (await Promise.all(records)).map((sha256) =>
      aResultFile({ sha256, name: 'mini.ontology', description: 'Ontology' }),
    );
  await seedSubmission(program.store, {
    ...{ sid: 'one', metadata: { original_source: 'mail' } },
    files: [{ sha256: ROOT }, { sha256: CHILD }],
    results: [
      aResult({
        supplementary: [
          ...(await attached(aRecord(ROOT, 'TLP:CLEAR', 'open'), aRecord(ROOT, 'TLP:AMBER', 'secret'))),
          ...(await attached(aRecord(CHILD, 'TLP:CLEAR', 'of another file'), keep('no JSON'), keep('[]'))),
          aResultFile({ sha256: aSha256(99), name: 'gone.ontology' }),
        ],
      }),
      aResult({
        ...{ sha256: CHILD, service: 'Mixed', classification: 'TLP:AMBER' },
        sections: [aSection({ classification: 'TLP:AMBER' })],
        supplementary: await attached(aRecord(CHILD, 'TLP:CLEAR', 'secret')),
      }),
    ],
  });
});
after(() => program.close());

const lines = async (uname: string, path: string) => {
  const { status, text, headers } = await program.as(uname, `/api/v4/ontology/${path}`);
  assert.equal(status, 200, text);
  assert.equal(headers.get('content-type'), 'application/octet-stream');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
};

describe('records of results', () => {
  it('have what is known of the submission, one a line', async () => {
    const [record, ...others] = await lines('ana', 'submission/one/');
    assert.deepEqual(others, []);
    assert.deepEqual(record.file, { sha256: ROOT, names: ['submitted.txt'] });
    assert.equal(record.results.score, 0);
    const { kept, sid, submitter, original_source: source, source_system: system } = record.submission;
    assert.deepEqual([kept, sid, submitter, source, system], ['open', 'one', 'ana', 'mail', 'localhost']);
    const all = await lines('bob', 'submission/one/');
    assert.equal(all.length, 3);
    assert.deepEqual(all[2].file, { sha256: CHILD, parent: ROOT });
  });

  it('are chosen by file and service', async () => {
    assert.equal((await lines('bob', `submission/one/?sha256=${CHILD}`)).length, 1);
    assert.equal((await lines('bob', 'submission/one/?service=Mini&service=None')).length, 2);
    assert.equal((await lines('bob', 'submission/one/?service=None')).length, 0);
  });

  it('are those of a file', async () => {
    for (const query of ['', '?all', '?service=Mini']) {
      const [record, ...others] = await lines('ana', `file/${ROOT}/${query}`);
      assert.deepEqual(
        [others.length, record.submission.classification, record.file.names],
        [0, 'TLP:CLEAR', undefined],
      );
    }
    assert.deepEqual(await lines('ana', `file/${CHILD}/`), []);
  });
});
