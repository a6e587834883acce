import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination, QueueItem } from '../../coordination/coordination.ts';
import { unlessUnavailable } from '../../coordination/while-available.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { errorDocument } from '../../documents/kinds/analysis/error.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { type Submission, submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import { DispatchCounts } from './dispatch-counts.ts';
import type { DispatchSettings } from './dispatch-settings.ts';
import { LostSubmissions } from './lost-submissions.ts';
import { NO_OWNER, OWNERS, OwnedSubmissions, type OwnedSubmissionsDependencies } from './owned-submissions.ts';
import { OwnerCalls } from './owners/owner-calls.ts';
import { OwnerMailbox } from './owners/owner-mailbox.ts';
import { Peers } from './owners/peers.ts';
import { SilentOwners } from './owners/silent-owners.ts';
import type { DispatchedService } from './progress/schedule.ts';
import { ServicePresence } from './service-presence.ts';
import { ServiceWatch } from './service-watch.ts';
import type { Task, TaskOutcome, TaskPoll, TaskReceipt } from './task.ts';
import { TaskPump, type WaitingTask } from './task-pump.ts';
import { WaitingSubmissions } from './waiting-submissions.ts';
import { WatchQueues } from './watch-queues.ts';

export interface DispatcherDependencies {
  readonly coordination: Pick<Coordination, 'queues' | 'tables' | 'locks' | 'events' | 'tokens'>;
  readonly datastore: Datastore;
  readonly classification: ClassificationEngine;
  readonly services: { all(): Promise<readonly DispatchedService[]> };
  readonly users: { recent(username: string): Promise<{ readonly classification: string } | undefined> };
  /** Reads the steps that an imported submission brings along. */
  readonly earlier?: OwnedSubmissionsDependencies['earlier'];
  readonly settings: DispatchSettings;
  /** Returns false while administrators pause the dispatcher. Default: never paused. */
  readonly isActive?: () => Promise<boolean>;
  readonly log: {
    info(entry: object, message: string): void;
    warn(entry: object, message: string): void;
    error(entry: object, message: string): void;
  };
  readonly clock?: Clock;
}

const DEAD_CHANNEL = 'analysis.dispatcher.dead';
const RETRY = 1000;
/** Submissions that are adopted at the same time. */
const ADOPTIONS = 8;

/**
 * Dispatches submissions: hands tasks to workers, takes their outcomes, and completes.
 * Every submission belongs to one process; calls for one of another process reach it there. What a call has resolved
 * survives the death of any process.
 */
export class Dispatcher {
  readonly id = randomUUID();
  readonly watchQueues: WatchQueues;
  readonly counts = new DispatchCounts();
  readonly presence: ServicePresence;
  readonly #dependencies: DispatcherDependencies;
  readonly #clock: Clock;
  readonly #owned: OwnedSubmissions;
  readonly #mailbox: OwnerMailbox;
  readonly #peers: Peers;
  readonly #watch: ServiceWatch;
  readonly #lost: LostSubmissions;
  readonly #silent: SilentOwners;
  readonly #calls: OwnerCalls;
  readonly #waiting: WaitingSubmissions;
  readonly #pumps = new Map<string, TaskPump>();
  /** Submissions that belonged to this dispatcher at the last look, and that it did not know. */
  #unknown: ReadonlySet<string> = new Set();
  #state: 'idle' | 'running' | 'stopped' = 'idle';
  #unsubscribe: (() => Promise<void>) | undefined;

  constructor(dependencies: DispatcherDependencies) {
    const { coordination, datastore, settings, log, clock = SYSTEM_CLOCK, services, isActive } = dependencies;
    this.#dependencies = dependencies;
    this.#clock = clock;
    this.#silent = new SilentOwners((err) => log.warn({ err }, 'a task of a silent dispatcher stays taken for now'));
    this.watchQueues = new WatchQueues(coordination);
    this.presence = new ServicePresence(coordination.tables, () => clock.now());
    this.#owned = new OwnedSubmissions({
      ...dependencies,
      id: this.id,
      clock,
      rules: { ...settings, dispatcher: { id: this.id, address: 'triad' } },
      submissions: datastore.collection(submissionDocument),
      files: datastore.collection(fileDocument),
      errors: datastore.collection(errorDocument),
      watchQueues: this.watchQueues,
      onEnd: () => this.#waiting.freed(),
      count: (what, service) => this.counts.add(what, service),
    });
    this.#mailbox = new OwnerMailbox({
      id: this.id,
      coordination,
      now: () => clock.now(),
      handle: (request) => this.#calls.answer(request),
      log,
    });
    this.#calls = new OwnerCalls({
      ...{ id: this.id, tables: coordination.tables },
      ...{ owned: this.#owned, mailbox: this.#mailbox, silent: this.#silent },
    });
    this.#waiting = new WaitingSubmissions({
      ...{ id: this.id, coordination, settings, log, owned: this.#owned },
      ...(isActive === undefined ? {} : { isActive }),
      submissions: datastore.collection(submissionDocument),
      begin: (submission) => this.#begin(submission),
    });
    this.#peers = new Peers({
      id: this.id,
      coordination,
      owners: async () => {
        const owners = new Set([...(await coordination.tables.entries(OWNERS)).values()].map(String));
        owners.delete(NO_OWNER);
        return owners;
      },
      adopt: (dead) => this.#adopt(dead),
      reclaim: () => this.#reclaim(),
      onLost: () => this.#owned.reload(),
      log,
    });
    this.#watch = new ServiceWatch({
      coordination,
      services: () => services.all(),
      presence: this.presence,
      absentAfter: settings.absentAfter,
      preempt: async ({ sid, taskId }, reason) => {
        await this.#calls.ask({ kind: 'preempt', sid, taskId, reason });
      },
      sweep: () => this.watchQueues.sweep(),
      log,
    });
    this.#lost = new LostSubmissions({
      submissions: datastore.collection(submissionDocument),
      tables: coordination.tables,
      locks: coordination.locks,
      now: () => clock.now(),
      dispatch: (submission) => this.dispatch(submission),
      queue: (submission) => this.#waiting.push(submission),
      log,
    });
  }

  /** Adopts what dead processes have left and takes submissions from now on. */
  start(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'running';
    this.#run().catch((err: unknown) => {
      this.#dependencies.log.error({ err }, 'the dispatcher cannot start');
    });
  }

  /** Hands everything over to the other processes, or to the next start. */
  async stop(): Promise<void> {
    if (this.#state === 'idle') return;
    this.#state = 'stopped';
    this.#waiting.stop();
    for (const pump of this.#pumps.values()) pump.close();
    await this.#silent.close();
    this.#lost.stop();
    await this.#watch.stop();
    await this.#mailbox.close();
    await this.#unsubscribe?.().catch(() => undefined);
    await this.#abandonAll();
    await this.#peers.stop().catch(() => undefined);
  }

  /**
   * Takes over a submission that is stored with the state `submitted`; durable once it resolves.
   * A submission that is dispatched already stays as it is. While the dispatcher is paused it waits.
   */
  async dispatch(submission: Submission): Promise<void> {
    const { tables } = this.#dependencies.coordination;
    const isPaused = await this.#waiting.isPaused().catch(() => false);
    const hasRoom = !isPaused && this.#isRunning && this.#waiting.hasRoom;
    const owner = hasRoom ? this.id : NO_OWNER;
    if (!(await tables.putIfAbsent(OWNERS, submission.sid, owner))) return;
    if (hasRoom) await this.#begin(submission);
    else await this.#waiting.push(submission);
  }

  /** Returns the next task that is still wanted, claimed for the worker; undefined after the wait. */
  async nextTask(poll: TaskPoll): Promise<Task | undefined> {
    await this.presence.note(poll.service);
    return this.#pump(poll.service).poll(poll);
  }

  /** Takes the outcome of a task. `ignored`: the task was replaced, or its submission is over. */
  async finish(receipt: TaskReceipt, outcome: TaskOutcome): Promise<'accepted' | 'ignored'> {
    const reply = await this.#calls.ask({ kind: 'finish', sid: receipt.sid, receipt, outcome });
    return reply?.isAccepted ? 'accepted' : 'ignored';
  }

  /** Gives a task out again that never reached its worker; it does not count as an attempt. */
  async release(receipt: TaskReceipt): Promise<void> {
    await this.#calls.ask({ kind: 'release', sid: receipt.sid, receipt });
  }

  /** Returns whether an outcome of the task would be accepted. */
  async wants(receipt: TaskReceipt): Promise<boolean> {
    return (await this.#calls.ask({ kind: 'wants', sid: receipt.sid, receipt }))?.isWanted ?? false;
  }

  /** Ends a submission that is about to be deleted. Returns whether it ran. */
  async cancel(sid: string): Promise<boolean> {
    const { coordination } = this.#dependencies;
    if ((await coordination.tables.get(OWNERS, sid)) === NO_OWNER && (await this.#waiting.cancel(sid))) return true;
    return (await this.#calls.ask({ kind: 'cancel', sid }))?.isDone ?? false;
  }

  async isRunning(sid: string): Promise<boolean> {
    return (await this.#dependencies.coordination.tables.get(OWNERS, sid)) !== undefined;
  }

  /** Returns the open files of each service; undefined when the submission is not running. */
  async outstanding(sid: string): Promise<Record<string, number> | undefined> {
    return (await this.#calls.ask({ kind: 'outstanding', sid }))?.counts;
  }

  /** Returns the id of a new watch queue, which has everything so far; undefined when it is not running. */
  async watch(sid: string): Promise<string | undefined> {
    const watcher = WatchQueues.newId();
    return (await this.#calls.ask({ kind: 'watch', sid, watcher }))?.isDone ? watcher : undefined;
  }

  /** Number of submissions that this process dispatches. */
  get inflight(): number {
    return this.#owned.size;
  }

  /** Returns the workers of a service that this process knows: with a task of it, and waiting here. */
  activity(service: string): { readonly busy: number; readonly idle: number } {
    const running = this.#owned.all().flatMap((active) => active.runningServices());
    return {
      busy: running.filter((name) => name === service).length,
      idle: this.#pumps.get(service)?.waiting ?? 0,
    };
  }

  async #run(): Promise<void> {
    const { coordination } = this.#dependencies;
    this.#unsubscribe = await coordination.events.subscribe(DEAD_CHANNEL, (_, dead) => this.#loseProcess(String(dead)));
    while (this.#isRunning) {
      try {
        await this.#peers.start();
        break;
      } catch (err) {
        this.#dependencies.log.warn({ err }, 'the dispatcher cannot be registered; it is tried again');
        await sleep(RETRY, undefined, { ref: false });
      }
    }
    if (!this.#isRunning) return;
    this.#watch.start();
    this.#lost.start();
    void this.#mailbox.serve();
    await this.#waiting.serve();
  }

  get #isRunning(): boolean {
    return this.#state === 'running';
  }

  #pump(service: string): TaskPump {
    let pump = this.#pumps.get(service);
    if (pump === undefined) {
      pump = new TaskPump(service, {
        queues: this.#dependencies.coordination.queues,
        claim: (waiting, poll, onSilent) => this.#claim(waiting, poll, onSilent),
        setAside: (item) => this.#setAside(item),
        release: ({ task_id, sid, service_name, fileinfo }) =>
          this.release({ task_id, sid, service_name, sha256: fileinfo.sha256 }),
        log: this.#dependencies.log,
      });
      this.#pumps.set(service, pump);
      if (this.#state === 'stopped') pump.close();
    }
    return pump;
  }

  async #claim(
    { sid, taskId }: WaitingTask,
    { worker, isLocal, service }: TaskPoll,
    onSilent: () => void,
  ): Promise<Task | undefined> {
    const claim = { taskId, worker, ...(isLocal ? { process: this.id } : {}) };
    const task = (await this.#calls.ask({ kind: 'claim', sid, claim }, onSilent))?.task;
    if (task === undefined) return undefined;
    // A claimed task is handed out in any case: no other worker gets it before its deadline.
    await unlessUnavailable(this.#noteBusy(service), undefined);
    return task;
  }

  /** Keeps a task out of its queue while its owner is silent; returns whether it is. */
  async #setAside(item: QueueItem<WaitingTask>): Promise<boolean> {
    if (this.#silent.isEmpty || this.#owned.get(item.item.sid) !== undefined) return false;
    const owner = await this.#dependencies.coordination.tables.get(OWNERS, item.item.sid);
    return this.#state === 'running' && typeof owner === 'string' && this.#silent.setAside(owner, item);
  }

  /** Notes that a worker is busy for as long as its task may take. */
  async #noteBusy(service: string): Promise<void> {
    const services = await this.#dependencies.services.all();
    const timeout = services.find(({ name }) => name === service)?.timeout ?? 0;
    await this.presence.note(service, this.#clock.now() + timeout * 1000);
  }

  /** Returns whether the dead dispatcher has nothing left. */
  async #adopt(dead: string): Promise<boolean> {
    const { coordination, log } = this.#dependencies;
    await coordination.events.publish(DEAD_CHANNEL, dead);
    const sids = await this.#submissionsOf(dead);
    const adoptNext = async (): Promise<void> => {
      for (let sid = sids.pop(); sid !== undefined && this.#isRunning; sid = sids.pop()) {
        await this.#owned.adopt(sid, dead).catch((err: unknown) => {
          log.error({ err, sid }, 'a submission cannot be adopted at once; it is tried again');
        });
      }
    };
    await Promise.all(Array.from({ length: ADOPTIONS }, adoptNext));
    await this.#mailbox.serveFor(dead);
    this.#silent.remove(dead);
    return (await this.#submissionsOf(dead)).length === 0;
  }

  /**
   * Continues submissions that belong to this dispatcher and that it does not know.
   * Coordination was lost while they were begun. One that is just being begun is known at the next look.
   */
  async #reclaim(): Promise<void> {
    const unknown = new Set<string>();
    for (const sid of await this.#submissionsOf(this.id)) {
      if (this.#owned.get(sid) !== undefined) continue;
      if (this.#unknown.has(sid)) await this.#owned.reclaim(sid);
      else unknown.add(sid);
    }
    this.#unknown = unknown;
  }

  async #submissionsOf(dispatcher: string): Promise<string[]> {
    const owners = await this.#dependencies.coordination.tables.entries(OWNERS);
    return [...owners].filter(([, owner]) => owner === dispatcher).map(([sid]) => sid);
  }

  #loseProcess(dead: string): void {
    for (const active of this.#owned.all()) {
      active
        .handle((machine, moment) => ({ step: machine.loseProcess(dead, moment), reply: undefined }))
        .catch((err: unknown) => {
          this.#dependencies.log.warn({ err, sid: active.sid }, 'tasks of a dead process end at their deadline');
        });
    }
  }

  async #abandonAll(): Promise<void> {
    await Promise.all(this.#owned.all().map((active) => active.abandon()));
  }

  /** Begins a submission of this dispatcher, or leaves it to those who look for lost ones. */
  async #begin(submission: Submission): Promise<void> {
    try {
      await this.#owned.begin(submission);
    } catch (error) {
      await this.#dependencies.coordination.tables.take(OWNERS, submission.sid).catch(() => undefined);
      throw error;
    }
  }
}
