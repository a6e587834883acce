import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type AnalysisServerDependencies, openAnalysisParts } from '../../analysis/analysis-parts.ts';
import { loadConfig } from '../../config/config.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { openLocalFileStorage } from '../../file-storage/local/local-file-storage.ts';
import { until } from '../until.ts';
import { enforcedClassification as classification } from './enforced-classification.ts';

const ACCESS = unrestricted('a test looks at what is stored');

/** For tests: opens and starts the parts as the program does, without servers. */
export async function openParts(
  context: TestContext,
  { flags = {} }: { readonly flags?: Readonly<Record<string, unknown>> } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'triad-parts-'));
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'parts' });
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  const storage = await openLocalFileStorage({ folder });
  const quiet = { debug() {}, info() {}, warn() {}, error: (entry: object) => console.error(entry) };
  const dependencies = {
    ...{ datastore, coordination, classification, files: storage, log: quiet },
    settings: loadConfig({ environment: { SVC_DATA_FOLDER: folder }, flags }),
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
  return {
    parts,
    datastore,
    files: datastore.collection(fileDocument),
    results: datastore.collection(resultDocument),
    submissions,
    /** Registers a service that takes every file, as its first worker does. */
    async register(name: string): Promise<void> {
      const manifest = { name, version: '1', enabled: true, docker_config: { image: 'none' }, category: name };
      await parts.services.registry.register(manifest, { origin: 'protocol' });
    },
    /** Takes the next task of a service and finishes it. @param changes members of the result */
    async work(service: string, changes: object = {}) {
      const poll = { service, version: '1', worker: 'w', wait: 5000 };
      const task = (await parts.dispatcher.nextTask(poll)) ?? assert.fail(`no task for ${service}`);
      const milestones = { service_started: '2026-01-02T03:04:04Z', service_completed: '2026-01-02T03:04:05Z' };
      const response = { service_name: service, service_version: '1', milestones, extracted: [], supplementary: [] };
      const { sha256, type, size } = task.fileinfo;
      const sent = { classification: 'TLP:C', response, result: { sections: [] }, sha256, type, size, ...changes };
      assert.deepEqual(await parts.intake.finish(task, sent, { freshen: true }), { success: true });
      return task;
    },
    async submit(name: string, content: Uint8Array, params: object = {}): Promise<string> {
      const received = await parts.files.receive(content);
      const info = await parts.files.describe(received, { fuzzy: true });
      await parts.files.saveOrFreshen(info, { expiry: undefined, classification: 'TLP:C' });
      const { sha256, size } = received;
      const sid = randomUUID();
      const chosen = { description: name, submitter: 'ada', classification: 'TLP:C', services: { selected: [] } };
      const input = {
        ...{ sid, classification: 'TLP:C', error_count: 0, errors: [], file_count: 1, max_score: 0, results: [] },
        ...{ state: 'submitted', files: [{ name, sha256, size }], metadata: {}, params: { ...chosen, ...params } },
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
