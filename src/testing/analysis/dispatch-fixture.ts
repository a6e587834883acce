import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { Dispatcher, type DispatcherDependencies } from '../../analysis/dispatching/dispatcher.ts';
import type { DispatchedService } from '../../analysis/dispatching/progress/schedule.ts';
import type { ExtractedChild, ResultSummary, Task, TaskPoll, TaskReceipt } from '../../analysis/dispatching/task.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { errorDocument } from '../../documents/kinds/analysis/error.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import {
  type Submission,
  type SubmissionParams,
  submissionDocument,
} from '../../documents/kinds/analysis/submission.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { until } from '../until.ts';
import { enforcedClassification as classification } from './enforced-classification.ts';

const ACCESS = unrestricted('a test looks at what is stored');
const NEXT_WAIT = 5000;

/** For tests: the SHA-256 of a name. */
export function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

/** For tests: a service that takes every file. */
export function aService(name: string, changes: Partial<DispatchedService> = {}): DispatchedService {
  return {
    name,
    version: '1.2',
    category: 'Static Analysis',
    stage: 'CORE',
    accepts: '.*',
    rejects: 'empty|metadata/.*',
    enabled: true,
    classification: 'TLP:CLEAR',
    timeout: 60,
    max_queue_length: 0,
    uses_tags: false,
    uses_tag_scores: false,
    uses_temp_submission_data: false,
    uses_metadata: false,
    monitored_keys: [],
    recursion_prevention: [],
    submission_params: [],
    ...changes,
  };
}

/** For tests: a child with the name and hash of `name`. */
export function aChild(name: string, changes: Partial<ExtractedChild> = {}): ExtractedChild {
  return {
    sha256: hashOf(name),
    name,
    parentRelation: 'EXTRACTED',
    allowDynamicRecursion: false,
    classification: 'TLP:CLEAR',
    ...changes,
  };
}

export type DispatchFixture = Awaited<ReturnType<typeof openDispatch>>;

/** For tests: a dispatcher on an embedded datastore, with workers that do as the test says. */
export async function openDispatch(
  context: TestContext,
  { services, folder = 'memory' }: { readonly services: DispatchedService[]; readonly folder?: string },
) {
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'dispatch' });
  let coordination: Coordination = await openEmbeddedCoordination({ folder });
  const clock = manualClock();
  const settings = {
    stages: ['FILTER', 'EXTRACT', 'CORE', 'SECONDARY', 'POST', 'REVIEW'],
    maxDepth: 3,
    maxTemporaryLength: 4096,
    temporaryKeys: { passwords: 'union', mood: 'overwrite' } as Record<string, 'union' | 'overwrite'>,
    safelist: { enabled: true, hash_types: ['sha1', 'sha256'], enforce_safelist_service: false },
    maxInflight: 1000,
    absentAfter: 0,
  };
  const quiet = {
    info() {},
    warn() {},
    error: (entry: object, message: string) => assert.fail(`${message} ${JSON.stringify(entry)}`),
  };
  const makeDispatcher = (changes: Partial<DispatcherDependencies> = {}) =>
    new Dispatcher({
      coordination,
      datastore,
      classification,
      services: { all: async () => [...services] },
      users: { recent: async (name) => ({ classification: name === 'guest' ? 'TLP:CLEAR' : 'TLP:A' }) },
      settings,
      log: quiet,
      clock,
      ...changes,
    });
  let dispatcher = makeDispatcher();
  dispatcher.start();
  context.after(async () => {
    await dispatcher.stop();
    await coordination.close();
    await datastore.close();
  });
  const submissions = datastore.collection(submissionDocument);
  const files = datastore.collection(fileDocument);
  const errors = datastore.collection(errorDocument);

  const addFile = async (name: string, type = 'text/plain'): Promise<string> => {
    const sha256 = hashOf(name);
    const input = {
      ...{ ascii: '.', hex: '00', magic: 'ASCII text', type, entropy: 1, ssdeep: '3:a:b', size: 4 },
      ...{ md5: sha256.slice(0, 32), sha1: sha256.slice(0, 40), sha256, classification: 'TLP:CLEAR' },
    };
    await files.save(sha256, readDocument(fileDocument, input, { unknown: 'refuse', classification }).document);
    return sha256;
  };
  const submit = async (
    name: string,
    {
      params = {},
      via = dispatcher,
      ...changes
    }: Partial<Omit<Submission, 'params'>> & { params?: Partial<SubmissionParams>; via?: Dispatcher } = {},
  ): Promise<string> => {
    if ((await files.get(hashOf(name), ACCESS)) === undefined) await addFile(name);
    const sid = randomUUID();
    const input = {
      ...{ sid, classification: 'TLP:CLEAR', error_count: 0, errors: [], file_count: 1, max_score: 0, results: [] },
      ...{ state: 'submitted', files: [{ name, sha256: hashOf(name), size: 4 }], metadata: { from: 'test' } },
      params: {
        description: name,
        submitter: 'ada',
        classification: 'TLP:CLEAR',
        services: { selected: [] },
        ...params,
      },
      ...changes,
    };
    const { document } = readDocument(submissionDocument, input, { unknown: 'refuse', classification });
    await submissions.save(sid, document);
    await via.dispatch(document);
    return sid;
  };
  const next = async (service: string, changes: Partial<TaskPoll> = {}): Promise<Task> => {
    const poll = { service, version: '1', worker: `${service}-1`, wait: NEXT_WAIT, ...changes };
    return (await dispatcher.nextTask(poll)) ?? assert.fail(`no task for ${service}`);
  };
  return {
    clock,
    settings,
    services,
    submissions,
    files,
    errors,
    makeDispatcher,
    addFile,
    submit,
    next,
    get coordination() {
      return coordination;
    },
    get dispatcher() {
      return dispatcher;
    },
    /** Returns whether a service has no task. */
    isIdle: async (service: string) =>
      (await dispatcher.nextTask({ service, version: '1', worker: 'idle', wait: 60 })) === undefined,
    finish: (task: Task, changes: Partial<ResultSummary> = {}) =>
      dispatcher.finish(receiptOf(task), { kind: 'result', summary: aSummary(task, changes) }),
    fail: (task: Task, isRecoverable: boolean, message = 'broken') =>
      dispatcher.finish(receiptOf(task), {
        kind: 'error',
        key: `${task.fileinfo.sha256}.error`,
        isRecoverable,
        message,
      }),
    get: async (sid: string) => (await submissions.get(sid, ACCESS)) ?? assert.fail(`no submission ${sid}`),
    error: async (key: string) => (await errors.get(key, ACCESS)) ?? assert.fail(`no error ${key}`),
    completed: async (sid: string): Promise<Submission> => {
      await until(`${sid} is completed`, async () => (await submissions.get(sid, ACCESS))?.state === 'completed', 5000);
      return (await submissions.get(sid, ACCESS)) ?? assert.fail(`no submission ${sid}`);
    },
    /** Ends the dispatcher as a kill does, and starts one of the next process on the same state. */
    restart: async () => {
      await coordination.close();
      coordination = await openEmbeddedCoordination({ folder });
      dispatcher = makeDispatcher();
      dispatcher.start();
    },
  };
}

export function receiptOf(task: Task): TaskReceipt {
  const { task_id, sid, service_name, fileinfo } = task;
  return { task_id, sid, service_name, sha256: fileinfo.sha256 };
}

function aSummary(task: Task, changes: Partial<ResultSummary>): ResultSummary {
  return {
    key: `${task.fileinfo.sha256}.${task.service_name}.v1_2.c0`,
    serviceVersion: '1.2',
    score: 0,
    drop: false,
    partial: false,
    children: [],
    tags: [],
    temporaryData: {},
    extraErrors: [],
    ...changes,
  };
}

/** A clock whose timers fire when the test lets time pass. */
function manualClock() {
  let ahead = 0;
  const timers = new Set<{ readonly at: number; readonly call: () => void }>();
  const now = () => Date.now() + ahead;
  return {
    now,
    after(milliseconds: number, call: () => void) {
      const timer = { at: now() + milliseconds, call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(milliseconds: number) {
      ahead += milliseconds;
      for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
        if (timer.at > now() || !timers.delete(timer)) continue;
        timer.call();
      }
    },
  };
}
