import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DEMO_CLASSIFICATION } from '../../../classification/builtin-definitions.ts';
import { loadClassification } from '../../../classification/classification.ts';
import { openEmbeddedCoordination } from '../../../coordination/embedded/embedded-coordination.ts';
import { openEmbeddedDatastore } from '../../../datastore/embedded/embedded-datastore.ts';
import { unrestricted } from '../../../datastore/port/read-access.ts';
import { heuristicDocument } from '../../../documents/kinds/analysis/heuristic.ts';
import { resultDocument } from '../../../documents/kinds/analysis/result.ts';
import { serviceDocument } from '../../../documents/kinds/analysis/service.ts';
import { serviceDeltaDocument } from '../../../documents/kinds/analysis/service-delta.ts';
import type { FileContent } from '../../../file-storage/file-storage.ts';
import { openLocalFileStorage } from '../../../file-storage/local/local-file-storage.ts';
import { until } from '../../../testing/until.ts';
import type { Task, TaskOutcome, TaskPoll } from '../../dispatching/task.ts';
import { ServiceRegistry } from '../../services/service-registry.ts';
import { BUILT_IN_ANALYZERS } from '../built-in-analyzers.ts';
import { AnalyzerHost } from './analyzer-host.ts';
import { OutputFiles } from './output-files.ts';

interface Outcome {
  readonly task: Task;
  // biome-ignore lint/suspicious/noExplicitAny: results and errors are looked at member by member
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly error?: any;
}

describe('AnalyzerHost', () => {
  it('registers its analyzers, runs their tasks, and hands over results of the protocol', async (context) => {
    const { host, registry, give, outcomes } = await setUp(context);
    host.start();
    await give('Characterize', Buffer.from('abab'));
    await until('a result came', () => outcomes.length === 1);
    const [{ task, result } = assert.fail()] = outcomes;
    assert.equal(result.sha256, task.fileinfo.sha256);
    assert.equal(result.response.service_name, 'Characterize');
    assert.equal(result.classification, 'TLP:CLEAR');
    assert.equal(result.result.sections[0].title_text, 'File entropy: 1.0');
    assert.equal(result.result.sections[0].classification, 'TLP:CLEAR');
    const service = await registry.get('Extract');
    assert.equal(service?.enabled, true);
    assert.equal(service?.stage, 'EXTRACT');
    assert.equal(service?.submission_params.length, 4);
  });

  it('stores extracted files and leaves out those on the safelist', async (context) => {
    const { host, give, outcomes, stored, safe, folder } = await setUp(context);
    host.start();
    await give('Extract', gzipSync('inside'), { fileinfo: { type: 'archive/gzip' }, filename: 'a.txt.gz' });
    await until('a result came', () => outcomes.length === 1);
    const { response, result, drop_file } = outcomes[0]?.result ?? assert.fail();
    assert.equal(drop_file, true);
    assert.equal(result.sections[0].heuristic.heur_id, 1);
    const [file] = response.extracted;
    assert.deepEqual([file.name, file.parent_relation, file.classification], ['a.txt', 'EXTRACTED', 'TLP:CLEAR']);
    assert.equal(stored.get(file.sha256), '2026-01-31T00:00:00.000Z TLP:CLEAR');
    safe.add(file.sha256);
    await give('Extract', gzipSync('inside'), { fileinfo: { type: 'archive/gzip' }, filename: 'a.txt.gz' });
    await until('a result came', () => outcomes.length === 2);
    const second = outcomes[1]?.result ?? assert.fail();
    assert.deepEqual(second.response.extracted, []);
    assert.equal(second.result.sections.at(-1).title_text, 'Successfully extracted 1 file that was safelisted.');
    await host.stop();
    assert.deepEqual(await readdir(folder), []);
  });

  it('finishes a task whose result is stored without a process', async (context) => {
    const { host, give, finished } = await setUp(context);
    host.start();
    await give('Characterize', Buffer.from('x'), { sid: 'cached' });
    await until('the task is finished', () => finished.length === 1);
    assert.deepEqual(finished, [['cached', 'result']]);
    assert.equal(host.processes, 0);
    assert.equal(host.totals.cached.get('Characterize'), 1);
  });

  it('ends the task of a process that is killed as a failure that may be repeated, and continues', async (context) => {
    const { host, give, outcomes, registry, deltas } = await setUp(context);
    host.start();
    await give('Characterize', Buffer.from('x'));
    await until('a result came', () => outcomes.length === 1);
    // No file can be read in this time.
    await deltas.save('Characterize', { ...(await deltaOf(deltas)), timeout: 0 }, { visible: 'now' });
    await registry.changed({ name: 'Characterize', operation: 'modified' });
    await until('the change is seen', async () => (await registry.get('Characterize'))?.timeout === 0);
    await give('Characterize', Buffer.alloc(16 << 20));
    await until('a failure came', () => outcomes.length === 2);
    const { error } = outcomes[1] ?? assert.fail();
    assert.equal(error.response.status, 'FAIL_RECOVERABLE');
    assert.match(error.response.message, /was killed: it ran for more than 0 s/);
    const { tasks, failures, kills, seconds } = host.totals;
    const counts = [tasks, failures, kills].map((one) => one.get('Characterize'));
    assert.deepEqual(counts, [2, 1, 1]);
    assert.ok((seconds.get('Characterize') ?? 0) > 0);
    await deltas.save('Characterize', { ...(await deltaOf(deltas)), timeout: 60 }, { visible: 'now' });
    await registry.changed({ name: 'Characterize', operation: 'modified' });
    await until('the change is seen', async () => (await registry.get('Characterize'))?.timeout === 60);
    await give('Characterize', Buffer.from('z'));
    await until('a result came', () => outcomes[2]?.result !== undefined);
  });

  it('reports a file without content and an analyzer that fails as final', async (context) => {
    const { host, give, outcomes, storage } = await setUp(context);
    host.start();
    const task = await give('Characterize', Buffer.from('gone'), {}, { isHeld: true });
    await storage.delete(task.fileinfo.sha256);
    await give('Characterize', Buffer.from('gone'), {}, { isStored: false });
    await until('a failure came', () => outcomes.length === 1);
    assert.equal(outcomes[0]?.error.response.status, 'FAIL_NONRECOVERABLE');
    assert.match(outcomes[0]?.error.response.message, /no file with the SHA-256/);
  });

  it('polls for no service that is switched off, and for as many tasks as it has processes', async (context) => {
    const { host, give, outcomes, registry, deltas, polled } = await setUp(context, { processes: 1 });
    host.start();
    await give('Characterize', Buffer.from('1'));
    await until('a result came', () => outcomes.length === 1);
    await deltas.save('Characterize', { ...(await deltaOf(deltas)), enabled: false }, { visible: 'now' });
    await registry.changed({ name: 'Characterize', operation: 'modified' });
    await until('the change is seen', async () => (await registry.get('Characterize'))?.enabled === false);
    // Ends the poll that waits.
    await give('Characterize', Buffer.from('2'));
    await until('a result came', () => outcomes.length === 2);
    polled.length = 0;
    await Promise.all([1, 2, 3].map((index) => give('Extract', Buffer.from(`${index}`))));
    await until('results came', () => outcomes.length === 5);
    assert.ok(polled.length > 0 && polled.every((name) => name === 'Extract'), polled.join());
    assert.ok(host.processes <= 1);
  });

  it('gives way to a service of the same name that registers over the protocol', async (context) => {
    const { host, openHost, give, outcomes, registry, polled, logged } = await setUp(context);
    host.start();
    await give('Characterize', Buffer.from('1'));
    await until('a result came', () => outcomes.length === 1);
    const manifest = { name: 'Characterize', version: '4.7.4.25', enabled: true, docker_config: { image: 'x' } };
    await registry.register(manifest, { origin: 'protocol' });
    await until('it is selected', async () => (await registry.get('Characterize'))?.version === '4.7.4.25');
    assert.match(logged.join('\n'), /the built-in analyzer Characterize does not run/);
    await host.stop();
    // A later start leaves the place to it.
    polled.length = 0;
    openHost().start();
    await give('Extract', Buffer.from('x'));
    await until('a result came', () => outcomes.length === 2);
    assert.equal((await registry.get('Characterize'))?.version, '4.7.4.25');
    assert.ok(!polled.includes('Characterize'));
  });

  it('selects its own new version after an update of the program', async (context) => {
    const { host, openHost, registry } = await setUp(context);
    host.start();
    await until('it is registered', async () => (await registry.get('Extract')) !== undefined);
    await host.stop();
    openHost(BUILT_IN_ANALYZERS.map((one) => ({ ...one, version: '9.0.0' }))).start();
    await until('it is selected', async () => (await registry.get('Extract'))?.version === '9.0.0');
  });

  it('switches off what the setting leaves out, and on again, but nothing that an administrator switched off', async (context) => {
    const { host, openHost, registry } = await setUp(context);
    const enabled = async () => (await registry.enabled()).map(({ name }) => name);
    host.start();
    await until('both run', async () => (await enabled()).length === 2);
    await host.stop();
    openHost([], ['Characterize', 'Extract']).start();
    await until('none runs', async () => (await enabled()).length === 0);
    openHost().start();
    await until('both run', async () => (await enabled()).length === 2);
    await registry.setEnabled('Extract', false);
    openHost([], ['Characterize', 'Extract']).start();
    await until('none runs', async () => (await enabled()).length === 0);
    openHost().start();
    await until('one runs', async () => (await enabled()).length === 1);
    assert.deepEqual(await enabled(), ['Characterize']);
  });

  it('removes folders that killed programs left, and no others', async (context) => {
    const { host, folder, give, outcomes } = await setUp(context);
    const { pid: gone } = spawnSync(process.execPath, ['--version']);
    const others = [`triad-analyzers-${process.ppid}-aa`, 'triad-analyzers-mine', 'other'];
    for (const name of [`triad-analyzers-${gone}-aa`, ...others]) await mkdir(join(folder, name));
    host.start();
    await give('Characterize', Buffer.from('1'));
    await until('a result came', () => outcomes.length === 1);
    await host.stop();
    assert.deepEqual((await readdir(folder)).sort(), others.sort());
  });

  it('leaves tasks that run at its end to be given out again', async (context) => {
    const { host, give, outcomes, folder } = await setUp(context);
    host.start();
    await give('Characterize', Buffer.from('1'));
    await until('a result came', () => outcomes.length === 1);
    assert.equal((await readdir(folder)).length, 1);
    await host.stop();
    await host.stop();
    assert.deepEqual(await readdir(folder), []);
    assert.equal(host.processes, 0);
  });
});

const CACHED: TaskOutcome = {
  kind: 'result',
  summary: {
    key: 'k',
    serviceVersion: '1',
    score: 0,
    drop: false,
    partial: false,
    children: [],
    tags: [],
    temporaryData: {},
    extraErrors: [],
  },
};

async function deltaOf(deltas: Awaited<ReturnType<typeof setUp>>['deltas']) {
  const found = await deltas.get('Characterize', unrestricted('a test changes it'));
  return found ?? assert.fail();
}

/** The real registry, storage and processes, with a list of tasks in the place of dispatching. */
async function setUp(context: TestContext, { processes = 2 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'triad-host-test-'));
  const files = await mkdtemp(join(tmpdir(), 'triad-host-files-'));
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'host' });
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  const storage = await openLocalFileStorage({ folder: files });
  const deltas = datastore.collection(serviceDeltaDocument);
  const logged: string[] = [];
  const write = (_entry: object, message: string) => void logged.push(message);
  const log = { debug: write, info: write, warn: write, error: write };
  const registry = new ServiceRegistry({
    services: datastore.collection(serviceDocument),
    deltas,
    heuristics: datastore.collection(heuristicDocument),
    results: datastore.collection(resultDocument),
    events: coordination.events,
    classification: await loadClassification(DEMO_CLASSIFICATION),
    defaults: {
      preferred_update_channel: 'stable',
      preferred_registry_type: 'docker',
      prefer_service_privileged: false,
    },
    log,
  });
  const waiting = new Map<string, Task[]>();
  const waiters = new Set<() => void>();
  const polled: string[] = [];
  const outcomes: Outcome[] = [];
  const finished: [string, string][] = [];
  const stored = new Map<string, string>();
  const safe = new Set<string>();
  const hosts: AnalyzerHost[] = [];
  const openHost = (analyzers = BUILT_IN_ANALYZERS, unused: readonly string[] = []) => {
    const host = new AnalyzerHost({
      analyzers,
      unused,
      tables: coordination.tables,
      registry,
      events: coordination.events,
      storage,
      dispatcher: {
        finish: async (receipt, outcome) => void finished.push([receipt.sid, outcome.kind]),
        async nextTask({ service, signal }: TaskPoll) {
          polled.push(service);
          for (;;) {
            if (signal?.aborted) return undefined;
            const task = waiting.get(service)?.shift();
            if (task !== undefined) return task;
            await new Promise<void>((resolve) => {
              waiters.add(resolve);
              signal?.addEventListener('abort', () => resolve(), { once: true });
            });
          }
        },
      },
      intake: {
        finish: async (task, result) => void outcomes.push({ task, result }),
        fail: async (task, error) => void outcomes.push({ task, error }),
        cached: async ({ sid }) => (sid === 'cached' ? CACHED : undefined),
      },
      output: new OutputFiles({
        maxSize: 1_000_000,
        now: () => Date.parse('2026-01-01'),
        safeFiles: async (ids) => new Set(ids.filter((id) => safe.has(id))),
        files: {
          receive: async (content: FileContent) => ({ ...(await storage.put(content)), sha1: 'b'.repeat(40) }),
          describe: async ({ sha256 }) => sha256,
          saveOrFreshen: async (sha256, { expiry, classification }) =>
            void stored.set(sha256, `${expiry} ${classification}`),
          discard: async () => undefined,
        },
      }),
      log,
      folder,
      processes,
    });
    hosts.push(host);
    return host;
  };
  context.after(async () => {
    for (const one of hosts) await one.stop();
    await registry.close();
    await Promise.all([datastore.close(), coordination.close(), storage.close()]);
    for (const one of [folder, files]) await rm(one, { recursive: true, force: true });
  });

  async function give(
    service: string,
    content: Buffer,
    changes: { readonly fileinfo?: object; readonly filename?: string; readonly sid?: string } = {},
    { isStored = true, isHeld = false } = {},
  ): Promise<Task> {
    const sha256 = createHash('sha256').update(content).digest('hex');
    if (isStored) await storage.put(content);
    const task = {
      task_id: '1',
      sid: 'sid',
      metadata: {},
      min_classification: 'TLP:CLEAR',
      filename: 'a.bin',
      service_name: service,
      service_config: {},
      depth: 0,
      max_files: 100,
      ttl: 30,
      tags: [],
      temporary_submission_data: [],
      deep_scan: false,
      ignore_cache: false,
      ignore_recursion_prevention: false,
      ignore_filtering: false,
      priority: 1000,
      safelist_config: { enabled: true, hash_types: ['sha256'], enforce_safelist_service: false },
      dispatcher: 'd',
      dispatcher_address: '',
      ...changes,
      fileinfo: {
        magic: 'm',
        md5: '',
        sha1: '',
        sha256,
        size: content.length,
        type: 'text/plain',
        ...changes.fileinfo,
      },
    } satisfies Task;
    if (isHeld) return task;
    waiting.set(service, [...(waiting.get(service) ?? []), task]);
    for (const wake of [...waiters]) {
      waiters.delete(wake);
      wake();
    }
    return task;
  }
  return {
    host: openHost(),
    openHost,
    finished,
    registry,
    deltas,
    give,
    outcomes,
    polled,

    stored,
    safe,
    storage,
    folder,
    logged,
  };
}
