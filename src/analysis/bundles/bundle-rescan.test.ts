import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { serviceDocument } from '../../documents/kinds/analysis/service.ts';
import { type Submission, submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../testing/analysis/analysis-program.ts';
import { aHeuristic, aResult, aResultFile, aSection, resultKey } from '../../testing/analysis/result-builders.ts';
import { seedFile } from '../../testing/analysis/seeded-submission.ts';
import { until } from '../../testing/until.ts';
import { packCart } from '../formats/cart.ts';

const ACCESS = unrestricted('the test looks at everything');
let program: AnalysisTestProgram;
let sids = 0;

before(async () => {
  program = await startAnalysisTestProgram();
  await program.saveUser('ana', { classification: 'TLP:GREEN' });
  await program.saveUser('root', { type: ['admin'], classification: 'TLP:AMBER' });
  const services = program.foundation.datastore.collection(serviceDocument);
  await until(
    'the analyzers are registered',
    async () => (await services.count({ query: { kind: 'all' } }, ACCESS)) > 0,
  );
});
after(() => program.close());

const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');

/** A bundle as the public system makes it, of a submission with a child that Mini extracted. */
async function aBundle({ without = [], ...changes }: { without?: string[]; [field: string]: unknown } = {}) {
  sids += 1;
  const sid = `import${sids}`;
  const [root, child, secret] = [`root ${sid}`, `child ${sid}`, 'a secret'].map(hashOf) as [string, string, string];
  const result = aResult({
    sha256: root,
    sections: [aSection({ heuristic: aHeuristic('MINI.1', 100) })],
    extracted: [aResultFile({ sha256: child, name: 'child.txt' }), aResultFile({ sha256: secret, name: 'secret.txt' })],
  });
  const key = resultKey(result);
  const empty = `${child}.Mini.v4_7_0_1.c0.e`;
  const error = `${child}.Broken.v1.c0.e21`;
  const info = (sha256: string) => ({
    ...{ sha256, md5: sha256.slice(0, 32), sha1: sha256.slice(0, 40), ssdeep: '3:a:b', type: 'text/plain', tlsh: null },
    ...{ ascii: '.', hex: '2e', magic: 'ASCII text', mime: 'text/plain', entropy: 1, size: 4, classification: 'TLP:C' },
    ...{ archive_ts: null, expiry_ts: null, __access_lvl__: 100, seen: { count: 1 } },
  });
  const documents = {
    submission: {
      ...{ sid, classification: 'TLP:C', state: 'completed', archive_ts: null, expiry_ts: null, __access_lvl__: 100 },
      ...{ files: [{ name: 'root.txt', sha256: root, size: 4 }], file_count: 2, max_score: 100 },
      ...{ results: [key, empty], errors: [error], error_count: 1, metadata: { replay: 'pending', kind: 'test' } },
      params: { description: 'x', submitter: 'elsewhere', classification: 'TLP:C', services: { selected: ['Mini'] } },
      times: { submitted: '2026-01-02T03:04:05.000000Z', completed: '2026-01-02T03:04:06.000000Z' },
      ...changes,
    },
    files: { list: [root, child], tree: {}, infos: { [root]: info(root), [child]: info(child) } },
    results: { results: { [key]: result, [empty]: { sha256: child } }, missing_result_keys: [] },
    errors: {
      errors: {
        [error]: {
          ...{ archive_ts: null, created: '2026-01-02T03:04:05.000000Z', sha256: child, type: 'EXCEPTION' },
          response: { message: 'x', service_name: 'Broken', service_version: '1', status: 'FAIL_NONRECOVERABLE' },
        },
      },
      missing_error_keys: [],
    },
  };
  const archive = pack();
  const contents = { [root]: `root ${sid}`, [child]: `child ${sid}`, 'results.json': JSON.stringify(documents) };
  for (const [name, content] of Object.entries(contents)) {
    if (!without.includes(content)) archive.entry({ name }, content);
  }
  archive.finalize();
  const header = { al: { type: 'archive/bundle/al' }, name: `${sid}.tgz` };
  const bytes = await buffer(Readable.from(packCart(Readable.from([gzipSync(await buffer(archive))]), header)));
  return { sid, root, child, secret, key, empty, error, bytes };
}

const upload = (body: Uint8Array, query: string) =>
  program.as('ana', `/api/v4/bundle/?${query}`, { method: 'POST', body });
const submissionOf = (sid: string) =>
  program.foundation.datastore.collection(submissionDocument).get(sid, ACCESS) as Promise<Submission>;
async function completed(sid: string): Promise<Submission> {
  await until('the services have run', async () => (await submissionOf(sid))?.state === 'completed', 20_000);
  return await submissionOf(sid);
}

describe('services that run again over a bundle', () => {
  it('add their results to those that the bundle has, also for extracted files', async () => {
    const { sid, root, child, key, empty, error, bytes } = await aBundle();
    const { status, json } = await upload(bytes, 'rescan_services=Characterize&complete_queue=done');
    assert.deepEqual([status, json.api_response], [200, { success: true }]);
    const done = await completed(sid);
    const own = done.results.filter((one) => one !== key && one !== empty);
    assert.deepEqual(
      own.map((one) => one.split('.').slice(0, 2).join('.')).sort(),
      [`${child}.Characterize`, `${root}.Characterize`].sort(),
    );
    assert.equal(done.results.length, 4);
    assert.deepEqual([done.errors, done.max_score, done.file_count], [[error], 100, 2]);
    assert.deepEqual(done.params.services.rescan, ['Characterize']);
    assert.deepEqual([done.metadata.kind, done.metadata.replay], ['test', undefined]);
    assert.equal(done.params.submitter, 'elsewhere');
    let message: { ingest_id: string; score: number } | undefined;
    await until('the queue is told', async () => {
      const { json: answer } = await program.as('ana', '/api/v4/ingest/get_message/done/');
      message = answer.api_response ?? undefined;
      return message !== undefined;
    });
    assert.deepEqual([message?.ingest_id, message?.score], [sid, 100]);
  });

  it('replace the results of the same services', async () => {
    const { sid, key, empty, bytes } = await aBundle();
    assert.equal((await upload(bytes, 'rescan_services=Mini,Characterize')).status, 200);
    const done = await completed(sid);
    assert.ok(!done.results.includes(key) && !done.results.includes(empty));
    assert.deepEqual([done.max_score, done.file_count], [0, 1], 'what Mini extracted is not known any more');
  });

  it('wait with the files that came in bulk on request', async () => {
    const { sid, bytes } = await aBundle();
    assert.equal((await upload(bytes, 'rescan_services=Characterize&to_ingest=true')).status, 200);
    assert.equal((await completed(sid)).results.length, 4);
  });

  it('never run on files that the bundle only names', async () => {
    const secret = await program.foundation.files.put(Buffer.from('a secret'));
    await seedFile(program.store, { sha256: secret.sha256, classification: 'TLP:AMBER' });
    const { sid, secret: named, key, bytes } = await aBundle();
    assert.equal(named, secret.sha256);
    assert.equal((await upload(bytes, 'rescan_services=Characterize')).status, 200);
    const done = await completed(sid);
    assert.ok(!done.results.some((one) => one.startsWith(named)));
    const { datastore } = program.foundation;
    assert.equal((await datastore.collection(fileDocument).get(named, ACCESS))?.classification, 'TLP:AMBER');
    const stored = await datastore.collection(resultDocument).get(key, ACCESS);
    assert.ok(!stored?.response.extracted.some(({ sha256 }) => sha256 === named));
  });

  it('need the submitted file, and leave nothing behind without it', async () => {
    const { sid, root, bytes } = await aBundle({ without: [`root import${sids + 1}`] });
    const { status, json } = await upload(bytes, 'rescan_services=Characterize');
    assert.deepEqual(
      [status, json.api_error_message],
      [409, `File ${root} does not exist, cannot continue submission.`],
    );
    assert.equal(await submissionOf(sid), undefined);
    const none = await aBundle({ files: [], results: [], errors: [] });
    const refused = await upload(none.bytes, 'rescan_services=Characterize');
    assert.deepEqual([refused.status, refused.json.api_error_message], [409, 'No files found to submit.']);
    const long = await upload(none.bytes, `rescan_services=Characterize&complete_queue=${'q'.repeat(300)}`);
    assert.equal(long.status, 400);
  });

  it('are not those that the importer may not use', async () => {
    const path = '/api/v4/service/Extract/';
    const { json: found } = await program.as('root', path);
    const changed = { ...found.api_response, classification: 'TLP:AMBER' };
    assert.equal((await program.as('root', path, { method: 'POST', json: changed })).status, 200);
    const { sid, bytes } = await aBundle();
    await until('the service is above the importer', async () => {
      const { json } = await program.as('ana', '/api/v4/service/all/');
      return !json.api_response.some((one: { name: string }) => one.name === 'Extract');
    });
    assert.equal((await upload(bytes, 'rescan_services=Extract,Characterize')).status, 200);
    assert.deepEqual((await completed(sid)).params.services.excluded, ['Extract']);
  });
});
