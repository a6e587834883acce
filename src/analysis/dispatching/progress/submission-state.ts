import type { Submission } from '../../../documents/kinds/analysis/submission.ts';
import type { ResultSummary, TaskFile } from '../task.ts';
import type { Fact, StepName, TraceRecord } from './facts.ts';
import { SharedData } from './temporary-data.ts';

export interface AncestryNode {
  readonly type: string;
  readonly parent_relation: string;
  readonly sha256: string;
}

export interface FileState {
  readonly sha256: string;
  readonly name: string;
  readonly depth: number;
  readonly info: TaskFile | null;
  readonly isDropped: boolean;
  readonly parents: Set<string>;
  readonly ancestry: readonly (readonly AncestryNode[])[];
  /** Temporary data of this file alone. */
  readonly local: Map<string, unknown>;
  readonly tags: Map<string, { readonly type: string; readonly value: string; score: number }>;
  /** Services that descendants must not get. */
  readonly forbidden: Set<string>;
  stages: readonly (readonly string[])[] | undefined;
  isOpen: boolean;
  isExempt: boolean;
}

export interface StepState extends StepName {
  phase: 'idle' | 'waiting' | 'running' | 'result' | 'error' | 'skipped';
  attempts: number;
  reruns: number;
  taskId: string;
  worker: string;
  deadline: number;
  process: string | undefined;
  monitored: Readonly<Record<string, unknown>> | undefined;
  logs: string[];
  summary: ResultSummary | undefined;
  errorKey: string | undefined;
}

/** A submission in progress, as its facts tell. `apply` is the only way to change it. */
export class SubmissionState {
  submission: Submission;
  access: string | undefined;
  shared: SharedData;
  readonly files = new Map<string, FileState>();
  readonly steps = new Map<string, StepState>();
  /** Steps that have a task, by its identifier. */
  readonly tasks = new Map<string, StepState>();
  readonly running = new Set<StepState>();
  /** Steps whose last run got values of monitored keys. */
  readonly monitoring = new Set<StepState>();
  /** Steps with a result or an error, in the order of their completion. */
  readonly settled = new Set<StepState>();
  readonly extraErrors = new Set<string>();
  readonly watchers = new Set<string>();
  readonly traces: TraceRecord[] = [];
  openFiles = 0;
  /** Files that are or were analysed. */
  activeFiles = 0;
  finished: Extract<Fact, { kind: 'finished' }> | undefined;

  constructor(begun: Extract<Fact, { kind: 'begun' }>) {
    this.submission = begun.submission;
    this.access = begun.access;
    this.shared = new SharedData(begun.temporaryKeys);
    this.#initial = begun.initial;
  }

  #initial: Readonly<Record<string, unknown>>;

  step({ sha256, service }: StepName): StepState | undefined {
    return this.steps.get(`${sha256} ${service}`);
  }

  apply(fact: Fact): void {
    switch (fact.kind) {
      case 'begun':
        return;
      case 'file':
        this.#addFile(fact);
        return;
      case 'parent':
        this.files.get(fact.sha256)?.parents.add(fact.parent);
        return;
      case 'exempt':
        this.#onFile(fact.sha256, (file) => {
          file.isExempt = true;
        });
        return;
      case 'forbidden':
        this.#onFile(fact.sha256, (file) => {
          for (const name of fact.names) file.forbidden.add(name);
        });
        return;
      case 'scheduled':
        this.#onFile(fact.sha256, (file) => {
          file.stages = fact.stages;
        });
        return;
      case 'open':
      case 'closed':
        this.#onFile(fact.sha256, (file) => this.#setOpen(file, fact.kind === 'open'));
        return;
      case 'refused':
        this.extraErrors.add(fact.key);
        return;
      case 'watched':
        this.watchers.add(fact.watcher);
        return;
      case 'traced':
        this.traces.push(fact.trace);
        return;
      case 'finished':
        this.finished = fact;
        return;
      default:
        this.#applyToStep(fact);
    }
  }

  #applyToStep(fact: Extract<Fact, StepName>): void {
    const step = this.step(fact) ?? this.#addStep(fact);
    switch (fact.kind) {
      case 'queued':
        step.phase = 'waiting';
        step.attempts += 1;
        step.taskId = fact.taskId;
        step.logs.push(fact.log);
        this.tasks.set(fact.taskId, step);
        for (const name of fact.forbidden ?? []) this.files.get(fact.sha256)?.forbidden.add(name);
        return;
      case 'claimed':
        step.phase = 'running';
        step.worker = fact.worker;
        step.deadline = fact.deadline;
        step.process = fact.process;
        step.monitored = fact.monitored;
        step.logs.push(fact.log);
        this.running.add(step);
        if (fact.monitored) this.monitoring.add(step);
        else this.monitoring.delete(step);
        return;
      case 'released':
        this.#leave(step, 'idle');
        if (fact.isFree) step.attempts -= 1;
        step.logs.push(fact.log);
        return;
      case 'result':
        this.#leave(step, 'result');
        this.#applyResult(step, fact.summary);
        return;
      case 'error':
        this.#leave(step, 'error');
        step.errorKey = fact.key;
        this.monitoring.delete(step);
        this.#settle(step);
        return;
      case 'skipped':
        this.#leave(step, 'skipped');
        return;
      case 'rerun':
        this.#leave(step, 'idle');
        this.settled.delete(step);
        this.monitoring.delete(step);
        step.summary = undefined;
        step.attempts = 0;
        step.reruns += 1;
    }
  }

  #applyResult(step: StepState, summary: ResultSummary): void {
    step.summary = summary;
    this.#settle(step);
    if (!summary.partial) this.monitoring.delete(step);
    for (const key of summary.extraErrors) this.extraErrors.add(key);
    const file = this.files.get(step.sha256);
    if (file === undefined) return;
    for (const { type, value, score = 0 } of summary.tags) {
      const key = `${type}:${value}`;
      const present = file.tags.get(key);
      if (present === undefined) file.tags.set(key, { type, value, score });
      else present.score += score;
    }
    for (const [key, value] of Object.entries(summary.temporaryData)) this.shared.set(key, value, file.local);
  }

  #settle(step: StepState): void {
    step.logs = [];
    this.settled.delete(step);
    this.settled.add(step);
  }

  #leave(step: StepState, phase: StepState['phase']): void {
    step.phase = phase;
    this.tasks.delete(step.taskId);
    this.running.delete(step);
  }

  #addStep({ sha256, service }: StepName): StepState {
    const step: StepState = {
      sha256,
      service,
      phase: 'idle',
      attempts: 0,
      reruns: 0,
      taskId: '',
      worker: '',
      deadline: 0,
      process: undefined,
      monitored: undefined,
      logs: [],
      summary: undefined,
      errorKey: undefined,
    };
    this.steps.set(`${sha256} ${service}`, step);
    return step;
  }

  #addFile({ sha256, name, depth, info, relation, parent, isDropped = false }: Extract<Fact, { kind: 'file' }>): void {
    const above = parent === undefined ? undefined : this.files.get(parent);
    const node = { type: info?.type ?? 'NOT_FOUND', parent_relation: relation, sha256 };
    const file: FileState = {
      sha256,
      name,
      depth,
      info,
      isDropped,
      parents: new Set(parent === undefined ? [] : [parent]),
      ancestry: above === undefined ? [[node]] : above.ancestry.map((line) => [...line, node]),
      local: new Map(above?.local),
      tags: new Map(),
      forbidden: new Set(),
      stages: undefined,
      isOpen: false,
      isExempt: false,
    };
    this.files.set(sha256, file);
    if (parent === undefined) {
      for (const [key, value] of Object.entries(this.#initial)) this.shared.set(key, value, file.local);
    }
    if (isDropped) return;
    this.activeFiles += 1;
    this.#setOpen(file, true);
  }

  #setOpen(file: FileState, isOpen: boolean): void {
    if (file.isOpen === isOpen) return;
    file.isOpen = isOpen;
    this.openFiles += isOpen ? 1 : -1;
  }

  #onFile(sha256: string, change: (file: FileState) => void): void {
    const file = this.files.get(sha256);
    if (file !== undefined) change(file);
  }
}
