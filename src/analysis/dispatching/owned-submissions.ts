import { randomUUID } from 'node:crypto';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { type Collection, throwBulkFailure } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { ErrorRecord } from '../../documents/kinds/analysis/error.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { ActiveSubmission } from './active-submission.ts';
import type { Clock } from './clock.ts';
import { completeSubmission } from './completion-step.ts';
import { Journal } from './journal.ts';
import type { Effect, Step } from './progress/facts.ts';
import { type DispatchedService, ServiceCatalogue } from './progress/schedule.ts';
import {
  type DispatchRules,
  type EarlierSteps,
  type Moment,
  SubmissionMachine,
} from './progress/submission-machine.ts';
import type { SubmissionState } from './progress/submission-state.ts';
import { SUBMISSION_CHANNEL, submissionMessage } from './submission-message.ts';
import type { ExtractedChild, TaskFile } from './task.ts';
import { taskQueue, type WaitingTask } from './task-pump.ts';
import type { WatchQueues } from './watch-queues.ts';

export interface OwnedSubmissionsDependencies {
  readonly id: string;
  readonly rules: DispatchRules;
  readonly clock: Clock;
  readonly coordination: Pick<Coordination, 'queues' | 'tables' | 'events'>;
  readonly submissions: Collection<Submission>;
  readonly files: Collection<FileRecord>;
  readonly errors: Collection<ErrorRecord>;
  readonly classification: ClassificationEngine;
  readonly services: { all(): Promise<readonly DispatchedService[]> };
  readonly users: { recent(username: string): Promise<{ readonly classification: string } | undefined> };
  /** Reads the steps that a stored submission names already; undefined: none are taken over. */
  readonly earlier?: { stepsOf(submission: Submission): Promise<EarlierSteps | undefined> } | undefined;
  readonly watchQueues: WatchQueues;
  /** Called when a submission is over here. */
  readonly onEnd: () => void;
  readonly count: (what: 'completed' | 'timeout' | 'again' | 'retry', service?: string) => void;
  readonly log: {
    info(entry: object, message: string): void;
    warn(entry: object, message: string): void;
    error(entry: object, message: string): void;
  };
}

/** Table of the dispatcher of each running submission. */
export const OWNERS = 'running';
/** Stands for the dispatcher of a submission that no dispatcher has begun. */
export const NO_OWNER = 'waiting';

/** Documents that are read or written at once, so that others are served in between. */
const CHUNK = 200;
const ACCESS = unrestricted('the dispatcher works for all submitters; their clearance limits the services');

/** The submissions that this process dispatches, and what their steps do to the world. */
export class OwnedSubmissions {
  readonly #dependencies: OwnedSubmissionsDependencies;
  readonly #active = new Map<string, ActiveSubmission>();
  #catalogue: { readonly of: readonly DispatchedService[]; readonly catalogue: ServiceCatalogue } | undefined;

  constructor(dependencies: OwnedSubmissionsDependencies) {
    this.#dependencies = dependencies;
  }

  get size(): number {
    return this.#active.size;
  }

  get(sid: string): ActiveSubmission | undefined {
    return this.#active.get(sid);
  }

  all(): readonly ActiveSubmission[] {
    return [...this.#active.values()];
  }

  /** Begins a submission whose owner is this dispatcher already. */
  async begin(submission: Submission): Promise<void> {
    const { sid } = submission;
    const { coordination } = this.#dependencies;
    const active = this.#open(sid);
    try {
      const { machine, step } = await this.#beginMachine(submission);
      await active.begin(machine, step);
    } catch (error) {
      await active.abandon();
      throw error;
    }
    await coordination.events.publish(
      SUBMISSION_CHANNEL,
      submissionMessage('SubmissionStarted', 'dispatcher', submission),
    );
  }

  /** Continues a submission of a dispatcher that ended. */
  async adopt(sid: string, dead: string): Promise<void> {
    const active = this.#open(sid);
    await this.#dependencies.coordination.tables.put(OWNERS, sid, this.#dependencies.id);
    await active.handle((machine, moment) => ({ step: machine.loseProcess(dead, moment), reply: undefined }));
  }

  /** Continues a submission of this dispatcher that it does not know. */
  async reclaim(sid: string): Promise<void> {
    await this.#open(sid).read(() => undefined);
  }

  /** Reads all submissions again: others may have taken some over. */
  reload(): void {
    for (const active of this.#active.values()) active.reload();
  }

  async moment(): Promise<Moment> {
    const { services, clock, classification } = this.#dependencies;
    const all = await services.all();
    if (this.#catalogue?.of !== all) this.#catalogue = { of: all, catalogue: new ServiceCatalogue(all) };
    return {
      now: clock.now(),
      catalogue: this.#catalogue.catalogue,
      mayUse: (access, service) =>
        access === undefined || classification.isAccessible(access, service.classification, true),
      newTaskId: randomUUID,
    };
  }

  /** Documents of the files that exist, as tasks have them. */
  async fileInfos(hashes: readonly string[]): Promise<ReadonlyMap<string, TaskFile>> {
    const infos = new Map<string, TaskFile>();
    for (let start = 0; start < hashes.length; start += CHUNK) {
      for (const file of await this.#dependencies.files.getMany(hashes.slice(start, start + CHUNK), ACCESS)) {
        if (file !== undefined) infos.set(file.sha256, taskFile(file));
      }
    }
    return infos;
  }

  childInfos(children: readonly ExtractedChild[]): Promise<ReadonlyMap<string, TaskFile>> {
    return this.fileInfos([...new Set(children.map(({ sha256 }) => sha256))]);
  }

  #open(sid: string): ActiveSubmission {
    const { coordination, clock, log, onEnd } = this.#dependencies;
    const active: ActiveSubmission = new ActiveSubmission(sid, {
      clock,
      log,
      journal: new Journal(coordination.tables, sid),
      moment: () => this.moment(),
      storeErrors: (errors) => this.#storeErrors(errors),
      perform: (machine, effects) => this.#perform(machine, effects),
      restore: (journal) => this.#restore(sid, journal),
      onEnd: () => {
        if (this.#active.get(sid) === active) this.#active.delete(sid);
        onEnd();
      },
    });
    this.#active.set(sid, active);
    return active;
  }

  async #restore(sid: string, journal: Journal): Promise<SubmissionMachine | undefined> {
    const { id, coordination, rules, submissions } = this.#dependencies;
    if ((await coordination.tables.get(OWNERS, sid)) !== id) return undefined;
    const facts = await journal.read();
    if (facts.length > 0) return SubmissionMachine.restore(rules, facts);
    const submission = await submissions.get(sid, ACCESS);
    if (submission?.state !== 'submitted') {
      await coordination.tables.take(OWNERS, sid);
      return undefined;
    }
    // The process died before the first entry of the journal.
    const { machine, step } = await this.#beginMachine(submission);
    await this.#storeErrors(step.errors);
    await journal.append(step.facts);
    return machine;
  }

  async #beginMachine(submission: Submission) {
    const { rules, users, earlier: history } = this.#dependencies;
    const root = submission.files[0]?.sha256 ?? '';
    const [user, infos, earlier] = await Promise.all([
      users.recent(submission.params.submitter),
      this.fileInfos(root === '' ? [] : [root]),
      history?.stepsOf(submission),
    ]);
    const children = earlier?.results.flatMap(({ summary }) => summary.children) ?? [];
    const earlierFiles = await this.childInfos(children);
    const given = { access: user?.classification, info: infos.get(root), earlier, earlierFiles };
    return SubmissionMachine.begin(rules, submission, given, await this.moment());
  }

  async #storeErrors(errors: Step['errors']): Promise<void> {
    const items = [...errors].map(([id, document]) => ({ kind: 'save' as const, id, document }));
    for (let start = 0; start < items.length; start += CHUNK) {
      throwBulkFailure(await this.#dependencies.errors.bulk(items.slice(start, start + CHUNK)));
    }
  }

  async #perform(machine: SubmissionMachine, effects: readonly Effect[]): Promise<void> {
    const { coordination, watchQueues, count } = this.#dependencies;
    const { sid } = machine.state.submission;
    await Promise.all(
      effects.map(async (effect): Promise<void> => {
        switch (effect.kind) {
          case 'push': {
            const { sha256, service, taskId, priority } = effect;
            const waiting: WaitingTask = { sid, sha256, taskId };
            await coordination.queues.push(taskQueue(service), [waiting], { priority, ids: [taskId] });
            return;
          }
          case 'withdraw':
            await coordination.queues.takeById(taskQueue(effect.service), effect.taskId);
            return;
          case 'timeout':
          case 'again':
          case 'retry':
            count(effect.kind, effect.service);
        }
      }),
    );
    // Watchers get messages in their order.
    for (const effect of effects) if (effect.kind === 'tell') await watchQueues.push(effect.watchers, effect.messages);
    if (effects.some(({ kind }) => kind === 'complete')) await this.#complete(machine.state);
  }

  async #complete(state: SubmissionState): Promise<void> {
    const { coordination, submissions, log, count } = this.#dependencies;
    const { sid } = state.submission;
    await completeSubmission(state, { submissions, queues: coordination.queues, log });
    await new Journal(coordination.tables, sid).drop();
    await coordination.tables.take(OWNERS, sid);
    count('completed');
    if (state.finished?.isCancelled) return;
    await coordination.events.publish(
      SUBMISSION_CHANNEL,
      submissionMessage('SubmissionCompleted', 'dispatcher', state.submission),
    );
  }
}

/** The fields of a file that analyzers get. Empty texts would be refused by their models. */
function taskFile({ magic, md5, mime, sha1, sha256, size, ssdeep, tlsh, type, uri_info }: FileRecord): TaskFile {
  return {
    magic: magic === '' ? 'data' : magic,
    md5,
    sha1,
    sha256,
    size: Number(size),
    type: type === '' ? 'unknown' : type,
    ...(mime ? { mime } : {}),
    ...(ssdeep ? { ssdeep } : {}),
    ...(tlsh ? { tlsh } : {}),
    ...(uri_info ? { uri_info } : {}),
  };
}
