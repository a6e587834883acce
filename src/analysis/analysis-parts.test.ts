import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { loadConfig } from '../config/config.ts';
import { openEmbeddedCoordination } from '../coordination/embedded/embedded-coordination.ts';
import { openEmbeddedDatastore } from '../datastore/embedded/embedded-datastore.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import { fileDocument } from '../documents/kinds/analysis/file.ts';
import { resultDocument } from '../documents/kinds/analysis/result.ts';
import { submissionDocument } from '../documents/kinds/analysis/submission.ts';
import { readDocument } from '../documents/schema/read-document.ts';
import { openLocalFileStorage } from '../file-storage/local/local-file-storage.ts';
import { enforcedClassification as classification } from '../testing/analysis/enforced-classification.ts';
import { until } from '../testing/until.ts';
import { type AnalysisServerDependencies, openAnalysisParts } from './analysis-parts.ts';

const ACCESS = unrestricted('a test looks at what is stored');

describe('the parts of the analysis service', () => {
  it('analyse a zip file with the built-in analyzers, and its files after it', async (context) => {
    const { submit, completed, results, files } = await setUp(context);
    const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
    for (const [name, content] of [
      ['invoice.js', 'alert(1)'],
      ['note.txt', 'hello'],
    ] as const) {
      await zip.add(name, new Uint8ArrayReader(Buffer.from(content)), { password: 'infected', zipCrypto: true });
    }
    const done = await completed(await submit('mail.zip', await zip.close()));
    assert.deepEqual([done.errors, done.file_count, done.max_score], [[], 3, 500]);
    const found = await results.getMany(done.results, ACCESS);
    const services = found.map((one) => one?.response.service_name ?? 'empty').sort();
    assert.deepEqual(services, ['Characterize', 'Characterize', 'Extract']);
    const extract = found.find((one) => one?.response.service_name === 'Extract');
    assert.deepEqual(
      extract?.result.sections.map(({ heuristic }) => heuristic?.heur_id),
      ['EXTRACT.10', 'EXTRACT.16'],
    );
    const [child] = extract?.response.extracted ?? [];
    assert.equal((await files.get(child?.sha256 ?? '', ACCESS))?.size, 8);
  });

  it('reuse stored results', async (context) => {
    const { parts, submit, completed } = await setUp(context);
    const first = await completed(await submit('a.txt', Buffer.from('the same')));
    const second = await completed(await submit('b.txt', Buffer.from('the same')));
    assert.deepEqual(second.results, first.results);
    assert.equal(parts.analyzers.totals.cached.get('Characterize'), 1);
  });
});

/** Opens the parts as the program does, without servers. */
async function setUp(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'triad-parts-'));
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'parts' });
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  const storage = await openLocalFileStorage({ folder });
  const quiet = { debug() {}, info() {}, warn() {}, error: (entry: object) => console.error(entry) };
  const dependencies = {
    ...{ datastore, coordination, classification, files: storage, log: quiet },
    settings: loadConfig({ environment: { SVC_DATA_FOLDER: folder } }),
    users: { recent: async () => ({ classification: 'TLP:A' }) },
  };
  const parts = openAnalysisParts(dependencies as unknown as AnalysisServerDependencies);
  parts.workers.start();
  context.after(async () => {
    await parts.workers.stop();
    await parts.services.registry.close();
    await Promise.all([datastore.close(), coordination.close(), storage.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  const submissions = datastore.collection(submissionDocument);
  await until('the analyzers are registered', async () => (await parts.services.registry.all()).length === 2);
  return {
    parts,
    files: datastore.collection(fileDocument),
    results: datastore.collection(resultDocument),
    async submit(name: string, content: Uint8Array): Promise<string> {
      const received = await parts.files.receive(content);
      const info = await parts.files.describe(received, { fuzzy: true });
      await parts.files.saveOrFreshen(info, { expiry: undefined, classification: 'TLP:C' });
      const { sha256, size } = received;
      const sid = randomUUID();
      const input = {
        ...{ sid, classification: 'TLP:C', error_count: 0, errors: [], file_count: 1, max_score: 0, results: [] },
        ...{ state: 'submitted', files: [{ name, sha256, size }], metadata: {} },
        params: { description: name, submitter: 'ada', classification: 'TLP:C', services: { selected: [] } },
      };
      const { document } = readDocument(submissionDocument, input, { unknown: 'refuse', classification });
      await submissions.save(sid, document, { visible: 'now' });
      await parts.dispatcher.dispatch(document);
      return sid;
    },
    async completed(sid: string) {
      let found = await submissions.get(sid, ACCESS);
      await until(`${sid} is completed`, async () => {
        found = await submissions.get(sid, ACCESS);
        return found?.state === 'completed';
      });
      return found ?? assert.fail();
    },
  };
}
