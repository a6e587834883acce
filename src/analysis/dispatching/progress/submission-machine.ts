import { isDeepStrictEqual } from 'node:util';
import type { ErrorRecord } from '../../../documents/kinds/analysis/error.ts';
import type { Submission } from '../../../documents/kinds/analysis/submission.ts';
import type { ExtractedChild, ResultSummary, Task, TaskFile, TaskOutcome, TaskReceipt } from '../task.ts';
import { type DispatchFailure, dispatchError } from './dispatch-errors.ts';
import type { Effect, Fact, Step, StepName, TemporaryKeyKind, WatchMessage } from './facts.ts';
import { buildSchedule, type DispatchedService, type ServiceCatalogue } from './schedule.ts';
import { type FileState, type StepState, SubmissionState } from './submission-state.ts';
import { buildTask, monitoredValues } from './task-builder.ts';
import { withinLength } from './temporary-data.ts';

export interface DispatchRules {
  readonly stages: readonly string[];
  readonly maxDepth: number;
  /** Longest value of temporary data, in characters of JSON. */
  readonly maxTemporaryLength: number;
  readonly temporaryKeys: Readonly<Record<string, TemporaryKeyKind>>;
  readonly safelist: Task['safelist_config'];
  readonly dispatcher: { readonly id: string; readonly address: string };
}

/** The world at the moment of an event. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly catalogue: ServiceCatalogue;
  /** Decides whether a submitter with this classification may use a service. */
  readonly mayUse: (access: string | undefined, service: DispatchedService) => boolean;
  readonly newTaskId: () => string;
}

export interface Claim {
  readonly taskId: string;
  readonly worker: string;
  /** Dispatcher of the process that the worker ends with. */
  readonly process?: string;
}

/** Steps of an earlier analysis, of files before those extracted from them. */
export interface EarlierSteps {
  readonly results: readonly (StepName & { readonly summary: ResultSummary })[];
  readonly errors: readonly (StepName & { readonly key: string })[];
}

export type Preemption = 'disabled' | 'queue' | 'absent';

const MAX_ATTEMPTS = 3;
/** Times that a partial result is computed once more because monitored data changed. */
const MAX_RERUNS = 10;
/** Milliseconds after the timeout of a service in which a result still counts. */
const GRACE = 5000;
const MAX_TRACES = 5000;
/** Files, those that are not analysed included. */
const MAX_FILES = 10_000;

const PREEMPTIONS: Readonly<Record<Preemption, Pick<DispatchFailure, 'type' | 'message'>>> = {
  disabled: { type: 'TASK PRE-EMPTED', message: 'The service was disabled while processing this task.' },
  queue: { type: 'TASK PRE-EMPTED', message: 'Task canceled due to excessive queuing.' },
  absent: { type: 'SERVICE DOWN', message: 'No worker of the service asked for tasks.' },
};

/**
 * Decides about one submission in progress, without side effects.
 * An event goes in, facts and effects come out. The facts alone make the state, so that a journal of them restores it.
 * Every event may come twice.
 */
export class SubmissionMachine {
  readonly state: SubmissionState;
  readonly #rules: DispatchRules;
  #moment!: Moment;
  #facts: Fact[] = [];
  #effects: Effect[] = [];
  #errors = new Map<string, ErrorRecord>();
  /** No file is scheduled until all earlier steps are known. */
  #isReplaying = false;

  private constructor(rules: DispatchRules, state: SubmissionState) {
    this.#rules = rules;
    this.state = state;
  }

  /** Restores a submission from its journal; undefined when the journal does not begin at the beginning. */
  static restore(rules: DispatchRules, facts: Iterable<Fact>): SubmissionMachine | undefined {
    let machine: SubmissionMachine | undefined;
    for (const fact of facts) {
      if (machine === undefined) {
        if (fact.kind !== 'begun') return undefined;
        machine = new SubmissionMachine(rules, new SubmissionState(fact));
      } else machine.state.apply(fact);
    }
    return machine;
  }

  /** Begins with the submitted file. `info` is undefined when the file has no document. */
  static begin(
    rules: DispatchRules,
    submission: Submission,
    given: {
      readonly access?: string | undefined;
      readonly info: TaskFile | undefined;
      readonly earlier?: EarlierSteps | undefined;
      /** Documents of the files that the earlier steps extracted. */
      readonly earlierFiles?: ReadonlyMap<string, TaskFile> | undefined;
    },
    moment: Moment,
  ): { readonly machine: SubmissionMachine; readonly step: Step } {
    const begun = {
      kind: 'begun' as const,
      submission,
      ...(given.access === undefined ? {} : { access: given.access }),
      temporaryKeys: rules.temporaryKeys,
      initial: withinLength(initialData(submission), rules.maxTemporaryLength),
    };
    const machine = new SubmissionMachine(rules, new SubmissionState(begun));
    const step = machine.#run(moment, () => {
      machine.#facts.push(begun);
      machine.#trace('submission_start');
      machine.#addRoot(given.info);
      if (given.earlier !== undefined) machine.#replay(given.earlier, given.earlierFiles ?? new Map());
      machine.#advanceAll();
    });
    return { machine, step };
  }

  /** Hands a waiting task to a worker; no task when it is not wanted. */
  claim({ taskId, worker, process }: Claim, moment: Moment): { readonly step: Step; readonly task: Task | undefined } {
    let task: Task | undefined;
    const step = this.#run(moment, () => {
      const waiting = this.state.tasks.get(taskId);
      const file = waiting && this.state.files.get(waiting.sha256);
      if (waiting?.phase !== 'waiting' || file === undefined) return;
      const service = moment.catalogue.enabled(waiting.service);
      if (service === undefined) {
        this.#preempt(waiting, 'disabled');
        return;
      }
      const monitored = monitoredValues(this.state, file, service);
      task = buildTask({ ...this.#rules, state: this.state, step: waiting, file, service, worker });
      this.#trace('service_start', waiting, worker);
      this.#record({
        kind: 'claimed',
        ...nameOf(waiting),
        worker,
        deadline: moment.now + service.timeout * 1000 + GRACE,
        ...(process === undefined ? {} : { process }),
        ...(monitored === undefined ? {} : { monitored }),
        log: `Popped from queue and running at ${this.#time()} on worker ${worker}`,
      });
    });
    return { step, task };
  }

  /** Returns whether an outcome of the task would count. */
  wants({ task_id, sha256, service_name }: TaskReceipt): boolean {
    const step = this.state.tasks.get(task_id);
    return this.state.finished === undefined && step?.sha256 === sha256 && step.service === service_name;
  }

  /** Takes the outcome of a run. `infos` has the documents of the extracted files. */
  finish(
    receipt: TaskReceipt,
    outcome: TaskOutcome,
    infos: ReadonlyMap<string, TaskFile>,
    moment: Moment,
  ): { readonly step: Step; readonly isAccepted: boolean } {
    const isAccepted = this.wants(receipt);
    const step = this.#run(moment, () => {
      const running = isAccepted ? this.state.tasks.get(receipt.task_id) : undefined;
      if (running === undefined) return;
      if (running.phase === 'waiting') this.#withdraw(running);
      if (outcome.kind === 'result') this.#settle(running, outcome.summary, infos);
      else this.#fail(running, outcome);
      this.#advance(running.sha256);
    });
    return { step, isAccepted };
  }

  /** Ends a waiting task with an error. */
  preempt(taskId: string, reason: Preemption, moment: Moment): Step {
    return this.#run(moment, () => {
      const step = this.state.tasks.get(taskId);
      if (step?.phase === 'waiting') this.#preempt(step, reason);
    });
  }

  /** Ends runs whose deadline is over. */
  expire(moment: Moment): Step {
    return this.#run(moment, () => {
      for (const step of [...this.state.running]) {
        if (step.deadline > moment.now) continue;
        const log = `Service timeout at ${this.#time()} on worker ${step.worker}`;
        this.#trace('service_timeout', step, log);
        this.#effects.push({ kind: 'timeout', service: step.service });
        this.#record({ kind: 'released', ...nameOf(step), log });
        this.#advance(step.sha256);
      }
    });
  }

  /** Gives a claimed task out again that never reached its worker. */
  release(receipt: TaskReceipt, moment: Moment): Step {
    return this.#run(moment, () => {
      const step = this.wants(receipt) ? this.state.tasks.get(receipt.task_id) : undefined;
      if (step?.phase !== 'running') return;
      const log = `Worker ${step.worker} did not take the task at ${this.#time()}`;
      this.#record({ kind: 'released', ...nameOf(step), log, isFree: true });
      this.#advance(step.sha256);
    });
  }

  /** Gives out again what workers of a dead process had, without counting an attempt. */
  loseProcess(process: string, moment: Moment): Step {
    return this.#run(moment, () => {
      for (const step of [...this.state.running]) {
        if (step.process !== process) continue;
        const log = `Worker ${step.worker} ended with its process at ${this.#time()}`;
        this.#record({ kind: 'released', ...nameOf(step), log, isFree: true });
        this.#advance(step.sha256);
      }
    });
  }

  /** Repeats the effects that a process may have died before. */
  resume(moment: Moment): Step {
    if (this.state.finished) return { facts: [], effects: [{ kind: 'complete' }], errors: new Map() };
    return this.check(moment);
  }

  /** Looks at every open file, and pushes every waiting task again: a message may have been lost. */
  check(moment: Moment): Step {
    return this.#run(moment, () => {
      this.#trace('submission_check', undefined, `${this.state.openFiles} files are open`);
      for (const step of this.state.tasks.values()) if (step.phase === 'waiting') this.#push(step);
      this.#advanceAll();
    });
  }

  /** Adds a watcher, which gets all keys so far. */
  watch(watcher: string, moment: Moment): Step {
    return this.#run(moment, () => {
      const messages: WatchMessage[] = [{ status: 'START' }];
      for (const { phase, summary, errorKey } of this.state.settled) {
        if (phase === 'result' && summary) messages.push({ status: 'OK', cache_key: summary.key });
        if (phase === 'error' && errorKey) messages.push({ status: 'FAIL', cache_key: errorKey });
      }
      for (const key of this.state.extraErrors) messages.push({ status: 'FAIL', cache_key: key });
      this.#record({ kind: 'watched', watcher });
      this.#effects.push({ kind: 'tell', watchers: [watcher], messages });
    });
  }

  /** Ends the analysis without a result; outcomes of its tasks are ignored from now on. */
  cancel(moment: Moment): Step {
    return this.#run(moment, () => {
      for (const step of this.state.tasks.values()) if (step.phase === 'waiting') this.#withdraw(step);
      this.#finish(true);
    });
  }

  /** Tasks that wait or run, by service. */
  outstanding(): Record<string, number> {
    const counts = new Map<string, number>();
    for (const { service } of this.state.tasks.values()) counts.set(service, (counts.get(service) ?? 0) + 1);
    return Object.fromEntries(counts);
  }

  /** Milliseconds since 1970 of the next deadline of a run. */
  nextDeadline(): number | undefined {
    let next: number | undefined;
    for (const { deadline } of this.state.running) if (next === undefined || deadline < next) next = deadline;
    return next;
  }

  #run(moment: Moment, work: () => void): Step {
    this.#moment = moment;
    this.#facts = [];
    this.#effects = [];
    this.#errors = new Map();
    if (this.state.finished === undefined) {
      work();
      if (this.state.openFiles === 0 && this.state.finished === undefined) this.#finish(false);
    }
    return { facts: this.#facts, effects: this.#effects, errors: this.#errors };
  }

  #record(fact: Fact): void {
    this.#facts.push(fact);
    this.state.apply(fact);
  }

  #addRoot(info: TaskFile | undefined): void {
    const { files, params } = this.state.submission;
    const [root] = files;
    if (root === undefined) return;
    const { sha256, name } = root;
    const type = params.filetype_override;
    this.#addFile({ sha256, name, depth: 0, relation: 'ROOT' }, info && (type ? { ...info, type } : info));
  }

  #addFile(file: Omit<Extract<Fact, { kind: 'file' }>, 'kind' | 'info'>, info: TaskFile | undefined): void {
    const { sha256, name, isDropped } = file;
    const isUsable = info !== undefined || isDropped === true;
    this.#record({
      kind: 'file',
      ...file,
      name: name === '' ? sha256 : name,
      info: info ?? null,
      ...(isUsable ? {} : { isDropped: true }),
    });
    if (isUsable) return;
    const message = `Couldn't find file info for ${sha256} in submission ${this.state.submission.sid}`;
    this.#refuse({ sha256, service: 'Dispatcher', version: '4.7', type: 'UNKNOWN', message });
  }

  /** Takes over the steps of an earlier analysis, except those of services that run again. */
  #replay({ results, errors }: EarlierSteps, infos: ReadonlyMap<string, TaskFile>): void {
    const { catalogue } = this.#moment;
    const rescanned = catalogue.expand(this.state.submission.params.services.rescan ?? []);
    this.#isReplaying = true;
    for (const { sha256, service, summary } of results) {
      const names = [...catalogue.expand(catalogue.enabled(service)?.recursion_prevention ?? [])];
      if (names.length > 0) this.#record({ kind: 'forbidden', sha256, names });
      if (!rescanned.has(service)) this.#settle({ sha256, service }, summary, infos);
    }
    for (const { sha256, service, key } of errors) {
      if (rescanned.has(service)) continue;
      const isBeside = this.state.step({ sha256, service }) !== undefined;
      this.#record(isBeside ? { kind: 'refused', key } : { kind: 'error', sha256, service, key });
    }
    this.#isReplaying = false;
  }

  #settle(name: StepName, given: ResultSummary, infos: ReadonlyMap<string, TaskFile>): void {
    const { state } = this;
    const file = state.files.get(name.sha256);
    if (file === undefined) return;
    const temporaryData = withinLength(given.temporaryData, this.#rules.maxTemporaryLength);
    const summary: ResultSummary = { ...given, temporaryData };
    this.#trace('process_result', name, `Processing result ${summary.key}`);
    const before = this.#monitoredBefore(temporaryData);
    this.#record({ kind: 'result', ...nameOf(name), summary });
    this.#tell(
      { status: 'OK', cache_key: summary.key },
      ...summary.extraErrors.map((key): WatchMessage => ({ status: 'FAIL', cache_key: key })),
    );
    for (const child of summary.children) this.#addChild(file, name.service, summary, child, infos);
    const step = state.step(name);
    if (step?.summary?.partial && state.monitoring.has(step)) before.add(step);
    for (const one of before) this.#rerunIfChanged(one);
  }

  /** Steps that may have to run again because of this data. */
  #monitoredBefore(data: Readonly<Record<string, unknown>>): Set<StepState> {
    const keys = Object.keys(data).filter((key) => Object.hasOwn(this.#rules.temporaryKeys, key));
    const affected = [...this.state.monitoring].filter(
      ({ monitored, summary }) => summary?.partial && keys.some((key) => Object.hasOwn(monitored ?? {}, key)),
    );
    return new Set(keys.length === 0 ? [] : affected);
  }

  #rerunIfChanged(step: StepState): void {
    const { state } = this;
    const file = state.files.get(step.sha256);
    if (file === undefined || step.phase !== 'result' || !step.summary?.partial || step.reruns >= MAX_RERUNS) return;
    const isChanged = Object.entries(step.monitored ?? {}).some(
      ([key, value]) => !isDeepStrictEqual(state.shared.get(key, file.local) ?? null, value),
    );
    if (!isChanged) return;
    this.#record({ kind: 'rerun', ...nameOf(step) });
    this.#record({ kind: 'open', sha256: step.sha256 });
    this.#advance(step.sha256);
  }

  #addChild(
    parent: FileState,
    service: string,
    summary: ResultSummary,
    { sha256, name, parentRelation, allowDynamicRecursion }: ExtractedChild,
    infos: ReadonlyMap<string, TaskFile>,
  ): void {
    const { state } = this;
    const present = state.files.get(sha256);
    if (present !== undefined) {
      if (!present.parents.has(parent.sha256)) this.#record({ kind: 'parent', sha256, parent: parent.sha256 });
      return;
    }
    if (state.files.size >= MAX_FILES) return;
    const { serviceVersion: version, toolVersion } = summary;
    const file = { sha256, name, depth: parent.depth + 1, relation: parentRelation, parent: parent.sha256 };
    const drop = (type: 'MAX DEPTH REACHED' | 'MAX FILES REACHED', message: string): void => {
      this.#addFile({ ...file, isDropped: true }, infos.get(sha256));
      this.#refuse({ sha256, service, version, toolVersion, type, message });
    };
    if (file.depth >= this.#rules.maxDepth) {
      drop('MAX DEPTH REACHED', `${service} has extracted a file ${sha256} beyond the depth limits`);
      return;
    }
    const { sid, params } = state.submission;
    if (state.activeFiles > params.max_extracted) {
      const what = `Too many files extracted for submission ${sid} ${sha256} extracted by ${service} will be dropped`;
      drop('MAX FILES REACHED', what);
      return;
    }
    this.#addFile(file, infos.get(sha256));
    if (allowDynamicRecursion) this.#record({ kind: 'exempt', sha256 });
    this.#advance(sha256);
  }

  #fail(step: StepState, { key, isRecoverable, message }: Extract<TaskOutcome, { kind: 'error' }>): void {
    this.#trace('process_error', step, `Service error ${key}`);
    if (isRecoverable) {
      this.#record({ kind: 'released', ...nameOf(step), log: `Service error: ${message}` });
      return;
    }
    this.#record({ kind: 'error', ...nameOf(step), key });
    this.#tell({ status: 'FAIL', cache_key: key });
  }

  #preempt(step: StepState, reason: Preemption): void {
    this.#withdraw(step);
    this.#failStep(step, PREEMPTIONS[reason]);
    this.#advance(step.sha256);
  }

  #withdraw({ service, taskId }: StepState): void {
    this.#effects.push({ kind: 'withdraw', service, taskId });
  }

  #advanceAll(): void {
    for (const file of [...this.state.files.values()]) if (file.isOpen) this.#advance(file.sha256);
  }

  /** Starts what a file still needs in its present stage, or closes it. */
  #advance(sha256: string): void {
    const file = this.state.files.get(sha256);
    if (file === undefined || !file.isOpen || this.#isReplaying) return;
    this.#trace('dispatch_file', { sha256 });
    for (const stage of file.stages ?? this.#schedule(file)) {
      const isWaiting = stage.map((service) => this.#start(file, service)).includes(true);
      if (isWaiting) return;
      if (!this.state.submission.params.ignore_filtering && stage.some((service) => this.#isDropped(sha256, service))) {
        break;
      }
    }
    this.#trace('file_finished', { sha256 });
    this.#record({ kind: 'closed', sha256 });
  }

  #isDropped(sha256: string, service: string): boolean {
    return this.state.step({ sha256, service })?.summary?.drop ?? false;
  }

  /** Returns whether the file has to wait for the service. */
  #start(file: FileState, service: string): boolean {
    const name = { sha256: file.sha256, service };
    const step = this.state.step(name);
    if (step !== undefined && step.phase !== 'idle') return step.phase === 'waiting' || step.phase === 'running';
    const definition = this.#moment.catalogue.enabled(service);
    if (definition === undefined) {
      this.#record({ kind: 'skipped', ...name });
      return false;
    }
    if (step !== undefined && step.attempts >= MAX_ATTEMPTS) {
      const message = ['The number of retries has passed the limit.', '', ...step.logs].join('\n');
      this.#effects.push({ kind: 'retry', service });
      this.#failStep(step, { type: 'TASK PRE-EMPTED', message });
      return false;
    }
    if (step !== undefined && step.attempts > 0) this.#effects.push({ kind: 'again', service });
    const forbidden = [...this.#moment.catalogue.expand(definition.recursion_prevention)];
    this.#record({
      kind: 'queued',
      ...name,
      taskId: this.#moment.newTaskId(),
      ...(forbidden.length === 0 ? {} : { forbidden }),
      log: `Submitted to queue at ${this.#time()}`,
    });
    const queued = this.state.step(name);
    if (queued !== undefined) this.#push(queued);
    return true;
  }

  #push(step: StepState): void {
    const { priority } = this.state.submission.params;
    this.#effects.push({ kind: 'push', ...nameOf(step), taskId: step.taskId, priority });
  }

  #schedule(file: FileState): readonly (readonly string[])[] {
    const { state } = this;
    const { params } = state.submission;
    const isFree = params.ignore_recursion_prevention || file.isExempt;
    const stages = buildSchedule({
      ...this.#rules,
      catalogue: this.#moment.catalogue,
      params,
      fileType: file.info?.type ?? 'unknown',
      depth: file.depth,
      forbidden: isFree ? [] : this.#forbiddenFor(file),
      mayUse: (service) => this.#moment.mayUse(state.access, service),
    });
    this.#trace('schedule_built', { sha256: file.sha256 }, JSON.stringify(stages));
    this.#record({ kind: 'scheduled', sha256: file.sha256, stages });
    return stages;
  }

  /** Services that run on an ancestor and must not get files of their own. */
  #forbiddenFor(file: FileState): string[] {
    const ancestors = new Set<string>(file.parents);
    const forbidden = new Set<string>();
    for (const sha256 of ancestors) {
      const ancestor = this.state.files.get(sha256);
      for (const parent of ancestor?.parents ?? []) ancestors.add(parent);
      for (const service of ancestor?.forbidden ?? []) forbidden.add(service);
    }
    return [...forbidden];
  }

  /** Ends a step with an error of the dispatcher itself. */
  #failStep(step: StepState, { type, message }: Pick<DispatchFailure, 'type' | 'message'>): void {
    const key = this.#store({ ...nameOf(step), version: '0', type, message });
    this.#record({ kind: 'error', ...nameOf(step), key });
    this.#tell({ status: 'FAIL', cache_key: key });
  }

  /** Stores an error that belongs to no step. */
  #refuse(failure: DispatchFailure): void {
    const key = this.#store(failure);
    this.#record({ kind: 'refused', key });
    this.#tell({ status: 'FAIL', cache_key: key });
  }

  #store(failure: DispatchFailure): string {
    const { key, document } = dispatchError(this.state.submission, failure, this.#time());
    this.#errors.set(key, document);
    return key;
  }

  #tell(...messages: readonly WatchMessage[]): void {
    const watchers = [...this.state.watchers];
    if (watchers.length > 0) this.#effects.push({ kind: 'tell', watchers, messages });
  }

  #finish(isCancelled: boolean): void {
    this.#trace('submission_check', undefined, isCancelled ? 'Cancelled' : 'Finished');
    this.#record({ kind: 'finished', at: this.#time(), isCancelled });
    this.#tell({ status: 'STOP' });
    this.#effects.push({ kind: 'complete' });
  }

  #trace(type: string, at?: { readonly sha256: string; readonly service?: string }, message?: string): void {
    if (!this.state.submission.params.trace || this.state.traces.length >= MAX_TRACES) return;
    const trace = {
      timestamp: this.#time(),
      event_type: type,
      ...(at?.service === undefined ? {} : { service: at.service }),
      ...(at === undefined ? {} : { file: at.sha256 }),
      ...(message === undefined ? {} : { message }),
    };
    this.#record({ kind: 'traced', trace });
  }

  #time(): string {
    return new Date(this.#moment.now).toISOString();
  }
}

function nameOf({ sha256, service }: StepName): StepName {
  return { sha256, service };
}

/** The `initial_data` of the parameters; nothing when it is not a JSON object. */
function initialData(submission: Submission): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(submission.params.initial_data ?? '{}');
    return typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data } : {};
  } catch {
    return {};
  }
}
