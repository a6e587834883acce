import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Submission } from '../../../documents/kinds/analysis/submission.ts';
import { aChild, aService, hashOf } from '../../../testing/analysis/dispatch-fixture.ts';
import type { TaskFile, TaskOutcome } from '../task.ts';
import { completedFields } from './completed-submission.ts';
import type { Effect, Fact, Step } from './facts.ts';
import { ServiceCatalogue } from './schedule.ts';
import { type DispatchRules, type Moment, SubmissionMachine } from './submission-machine.ts';

const RULES: DispatchRules = {
  stages: ['EXTRACT', 'CORE', 'POST'],
  maxDepth: 3,
  maxTemporaryLength: 100,
  temporaryKeys: { passwords: 'union' },
  safelist: { enabled: false, hash_types: [], enforce_safelist_service: false },
  dispatcher: { id: 'd', address: 'here' },
};
const SERVICES = [
  aService('Extract', { stage: 'EXTRACT', uses_temp_submission_data: true, monitored_keys: ['passwords'] }),
  aService('Core', { recursion_prevention: ['Post'] }),
  aService('Tags', { uses_tags: true }),
  aService('Post', { stage: 'POST' }),
];
const NAMES = ['root', 'a', 'b', 'c', 'd', 'e', 'f'];
const INFOS = new Map(NAMES.slice(0, -1).map((name) => [hashOf(name), infoOf(hashOf(name))] as const));

/** An event of the world; `which` chooses one of the tasks that it can happen to. */
const action = fc.record({
  kind: fc.constantFrom(
    'claim',
    'result',
    'result',
    'result',
    'recoverable',
    'error',
    'late',
    'time',
    'crash',
    'lose',
    'check',
  ),
  which: fc.nat(20),
  children: fc.subarray(NAMES.slice(1), { maxLength: 3 }),
  isPartial: fc.boolean(),
  isDrop: fc.boolean(),
  password: fc.constantFrom(undefined, 'x', 'y'),
});

describe('SubmissionMachine', () => {
  it('ends after any sequence of events, regardless of what crashes, with each run counted once', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const world = new World();
        for (const one of actions) world.act(one);
        world.finishAll();
        world.check();
      }),
      { numRuns: 300 },
    );
  });
});

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** A journal, a queue and workers, as the machine sees them. */
class World {
  now = Date.parse('2026-01-01');
  journal: Fact[] = [];
  machine: SubmissionMachine;
  /** Tasks that wait in queues. */
  readonly queue = new Set<string>();
  readonly running = new Map<string, { sha256: string; service: string }>();
  readonly settled: { sha256: string; service: string; taskId: string }[] = [];
  isComplete = false;
  #taskNumber = 0;

  constructor() {
    const { machine, step } = SubmissionMachine.begin(
      RULES,
      SUBMISSION,
      { info: INFOS.get(hashOf('root')) },
      this.moment,
    );
    this.machine = machine;
    this.#take(step);
  }

  get moment(): Moment {
    return {
      now: this.now,
      catalogue: new ServiceCatalogue(SERVICES),
      mayUse: () => true,
      newTaskId: () => {
        this.#taskNumber += 1;
        return `task ${this.#taskNumber}`;
      },
    };
  }

  act({ kind, which, children, isPartial, isDrop, password }: Action): void {
    const pick = <T>(from: Iterable<T>): T | undefined => {
      const all = [...from];
      return all[which % Math.max(1, all.length)];
    };
    if (kind === 'claim') {
      const taskId = pick(this.queue);
      if (taskId !== undefined) this.#claim(taskId);
    } else if (kind === 'time') {
      this.now += 40_000;
      this.#take(this.machine.expire(this.moment));
    } else if (kind === 'check') this.#take(this.machine.check(this.moment));
    else if (kind === 'crash') this.#crash();
    else if (kind === 'lose') this.#take(this.machine.loseProcess('process', this.moment));
    else if (kind === 'late') {
      const done = pick(this.settled);
      if (done === undefined) return;
      const receipt = { task_id: done.taskId, sid: 's', service_name: done.service, sha256: done.sha256 };
      const { isAccepted, step } = this.machine.finish(
        receipt,
        { kind: 'error', key: 'late', isRecoverable: false, message: '' },
        INFOS,
        this.moment,
      );
      assert.equal(isAccepted, false, 'a task that is done is not wanted');
      this.#take(step);
    } else {
      const taskId = pick(this.running.keys());
      const task = taskId === undefined ? undefined : this.running.get(taskId);
      if (taskId === undefined || task === undefined) return;
      const { sha256, service } = task;
      const outcome: TaskOutcome =
        kind === 'result'
          ? {
              kind,
              summary: {
                key: `${sha256}.${service}.${taskId}`,
                ...{ serviceVersion: '1', score: 1, drop: isDrop, partial: isPartial, tags: [], extraErrors: [] },
                children: children.map((name) => aChild(name)),
                temporaryData: password === undefined ? {} : { passwords: [password] },
              },
            }
          : { kind: 'error', key: `${sha256}.${service}.error`, isRecoverable: kind === 'recoverable', message: 'no' };
      this.#finish(taskId, outcome);
    }
  }

  finishAll(): void {
    for (let round = 0; !this.isComplete; round += 1) {
      assert.ok(round < 2000, 'it does not end');
      const [waiting] = this.queue;
      const [taskId] = this.running.keys();
      if (waiting !== undefined) this.#claim(waiting);
      else if (taskId !== undefined)
        this.#finish(taskId, { kind: 'error', key: `error of ${taskId}`, isRecoverable: false, message: '' });
      else assert.fail('files are open, and nothing waits or runs');
    }
  }

  check(): void {
    const { state } = this.machine;
    const fields = completedFields(state);
    assert.equal(state.openFiles, 0);
    assert.equal(new Set(fields.results).size, fields.results.length);
    assert.equal(fields.file_count, state.files.size);
    for (const file of state.files.values()) assert.ok(file.depth <= RULES.maxDepth);
    for (const { sha256, service, attempts, phase } of state.steps.values()) {
      assert.ok(attempts <= 3, `${service} ran ${attempts} times on ${sha256}`);
      assert.ok(phase === 'result' || phase === 'error', phase);
    }
    const restored = SubmissionMachine.restore(RULES, this.journal);
    assert.deepEqual(restored?.state && completedFields(restored.state), fields, 'the journal says the same');
  }

  #claim(taskId: string): void {
    this.queue.delete(taskId);
    const isLocal = this.#taskNumber % 3 === 0;
    const { step, task } = this.machine.claim(
      { taskId, worker: 'w', ...(isLocal ? { process: 'process' } : {}) },
      this.moment,
    );
    this.#take(step);
    if (task !== undefined) {
      assert.equal(this.running.has(taskId), false, 'a task is given out once');
      this.running.set(taskId, { sha256: task.fileinfo.sha256, service: task.service_name });
    }
  }

  #finish(taskId: string, outcome: TaskOutcome): void {
    const task = this.running.get(taskId);
    if (task === undefined) return;
    this.running.delete(taskId);
    const receipt = { task_id: taskId, sid: 's', service_name: task.service, sha256: task.sha256 };
    const { step, isAccepted } = this.machine.finish(receipt, outcome, INFOS, this.moment);
    this.#take(step);
    if (isAccepted) this.settled.push({ ...task, taskId });
  }

  /** The process dies: its memory is lost, the journal and the queue are not. */
  #crash(): void {
    const restored = SubmissionMachine.restore(RULES, this.journal);
    assert.ok(restored);
    this.machine = restored;
    this.#take(restored.resume(this.moment));
  }

  #take({ facts, effects }: Step): void {
    this.journal.push(...(JSON.parse(JSON.stringify(facts)) as Fact[]));
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: Effect): void {
    if (effect.kind === 'push') this.queue.add(effect.taskId);
    if (effect.kind === 'withdraw') this.queue.delete(effect.taskId);
    if (effect.kind === 'complete') this.isComplete = true;
  }
}

function infoOf(sha256: string): TaskFile {
  return { magic: 'm', md5: '', sha1: '', sha256, size: 1, type: 'text/plain' };
}

const SUBMISSION = {
  sid: 's',
  classification: 'TLP:C',
  files: [{ name: 'root', sha256: hashOf('root'), size: 1 }],
  metadata: {},
  tracing_events: [],
  times: { submitted: '2026-01-01T00:00:00.000Z' },
  params: {
    services: { selected: [], excluded: [], rescan: [], resubmit: [] },
    ...{ service_spec: {}, max_extracted: 3, priority: 1, ttl: 0, trace: true },
    ...{ deep_scan: false, ignore_filtering: false, ignore_recursion_prevention: false, ignore_cache: false },
  },
} as unknown as Submission;
