import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination, QueueItem } from '../../coordination/coordination.ts';
import { unlessUnavailable } from '../../coordination/while-available.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { errorDocument } from '../../documents/kinds/analysis/error.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { type Submission, submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import { COMPLETED_QUEUE, type Completion } from './completion-message.ts';
import { DispatchCounts } from './dispatch-counts.ts';
import type { DispatchSettings } from './dispatch-settings.ts';
import { LostSubmissions } from './lost-submissions.ts';
import { NO_OWNER, OWNERS, OwnedSubmissions, type OwnedSubmissionsDependencies } from './owned-submissions.ts';
import { OwnerMailbox } from './owner-mailbox.ts';
import type { OwnerReplies, OwnerReply, OwnerRequest } from './owner-requests.ts';
import { Peers } from './peers.ts';
import type { DispatchedService } from './progress/schedule.ts';
import { ServicePresence } from './service-presence.ts';
import { ServiceWatch } from './service-watch.ts';
import { SilentOwners } from './silent-owners.ts';
import type { Task, TaskOutcome, TaskPoll, TaskReceipt } from './task.ts';
import { TaskPump, type WaitingTask } from './task-pump.ts';
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

/** Queue of submissions that wait for a dispatcher with room. */
const WAITING_QUEUE = 'dispatching:waiting';
const DEAD_CHANNEL = 'analysis.dispatcher.dead';
/** Milliseconds that one look for waiting submissions lasts. */
const LOOK = 2000;
const VISIBILITY = 30_000;
const RETRY = 1000;
/** Milliseconds between two checks whether a paused dispatcher is resumed. */
const PAUSED_INTERVAL = 250;
/** Milliseconds until the owner of a submission is looked up again when it does not answer. */
const OWNER_PATIENCE = 2000;
/** Milliseconds after which the worker that waits for the owner of a task gets another task. */
const CLAIM_PATIENCE = 1000;
/** Milliseconds that a request waits for its owner, the adoption after the death of a process included. */
const LONGEST_WAIT = 40_000;
/** Submissions that are adopted at the same time. */
const ADOPTIONS = 8;
const ACCESS = unrestricted('the dispatcher takes over submissions of all users');

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
  readonly #pumps = new Map<string, TaskPump>();
  /** Submissions that belonged to this dispatcher at the last look, and that it did not know. */
  #unknown: ReadonlySet<string> = new Set();
  #state: 'idle' | 'running' | 'stopped' = 'idle';
  #hasRoom = Promise.withResolvers<void>();
  #unsubscribe: (() => Promise<void>) | undefined;

  constructor(dependencies: DispatcherDependencies) {
    const { coordination, datastore, settings, log, clock = SYSTEM_CLOCK, services } = dependencies;
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
      onEnd: () => this.#hasRoom.resolve(),
      count: (what, service) => this.counts.add(what, service),
    });
    this.#mailbox = new OwnerMailbox({
      id: this.id,
      coordination,
      now: () => clock.now(),
      handle: (request) => this.#handle(request),
      log,
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
        await this.#ask({ kind: 'preempt', sid, taskId, reason });
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
      queue: ({ sid, params }) =>
        coordination.queues.push(WAITING_QUEUE, [{ sid }], { priority: params.priority, ids: [sid] }),
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
    this.#hasRoom.resolve();
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
    const { coordination, settings } = this.#dependencies;
    const { sid, params } = submission;
    const isPaused = await this.#isPaused().catch(() => false);
    const hasRoom = !isPaused && this.#state === 'running' && this.#owned.size < settings.maxInflight;
    const owner = hasRoom ? this.id : NO_OWNER;
    if (!(await coordination.tables.putIfAbsent(OWNERS, sid, owner))) return;
    if (hasRoom) await this.#begin(submission);
    else await coordination.queues.push(WAITING_QUEUE, [{ sid }], { priority: params.priority, ids: [sid] });
  }

  /** Returns the next task that is still wanted, claimed for the worker; undefined after the wait. */
  async nextTask(poll: TaskPoll): Promise<Task | undefined> {
    await this.presence.note(poll.service);
    return this.#pump(poll.service).poll(poll);
  }

  /** Takes the outcome of a task. `ignored`: the task was replaced, or its submission is over. */
  async finish(receipt: TaskReceipt, outcome: TaskOutcome): Promise<'accepted' | 'ignored'> {
    const reply = await this.#ask({ kind: 'finish', sid: receipt.sid, receipt, outcome });
    return reply?.isAccepted ? 'accepted' : 'ignored';
  }

  /** Gives a task out again that never reached its worker; it does not count as an attempt. */
  async release(receipt: TaskReceipt): Promise<void> {
    await this.#ask({ kind: 'release', sid: receipt.sid, receipt });
  }

  /** Returns whether an outcome of the task would be accepted. */
  async wants(receipt: TaskReceipt): Promise<boolean> {
    return (await this.#ask({ kind: 'wants', sid: receipt.sid, receipt }))?.isWanted ?? false;
  }

  /** Ends a submission that is about to be deleted. Returns whether it ran. */
  async cancel(sid: string): Promise<boolean> {
    const { coordination } = this.#dependencies;
    if ((await coordination.tables.get(OWNERS, sid)) === NO_OWNER && (await this.#cancelWaiting(sid))) return true;
    return (await this.#ask({ kind: 'cancel', sid }))?.isDone ?? false;
  }

  async isRunning(sid: string): Promise<boolean> {
    return (await this.#dependencies.coordination.tables.get(OWNERS, sid)) !== undefined;
  }

  /** Returns the open files of each service; undefined when the submission is not running. */
  async outstanding(sid: string): Promise<Record<string, number> | undefined> {
    return (await this.#ask({ kind: 'outstanding', sid }))?.counts;
  }

  /** Returns the id of a new watch queue, which has everything so far; undefined when it is not running. */
  async watch(sid: string): Promise<string | undefined> {
    const watcher = WatchQueues.newId();
    return (await this.#ask({ kind: 'watch', sid, watcher }))?.isDone ? watcher : undefined;
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
    await this.#takeWaiting();
  }

  get #isRunning(): boolean {
    return this.#state === 'running';
  }

  async #isPaused(): Promise<boolean> {
    const { isActive } = this.#dependencies;
    return isActive !== undefined && !(await isActive());
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
    const task = (await this.#ask({ kind: 'claim', sid, claim }, onSilent))?.task;
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

  /**
   * Lets the owner of a submission do something; undefined when the submission is not running.
   * `onSilent` is called, perhaps several times, when the owner does not answer soon.
   */
  async #ask<Request extends OwnerRequest>(
    request: Request,
    onSilent?: () => void,
  ): Promise<OwnerReplies[Request['kind']] | undefined> {
    const { tables } = this.#dependencies.coordination;
    const { sid } = request;
    const until = performance.now() + LONGEST_WAIT;
    const id = OwnerMailbox.newId();
    const expires = request.kind !== 'finish' && request.kind !== 'cancel';
    const silent = new Set<string>();
    const noteSilence = (owner: string): void => {
      silent.add(owner);
      this.#silent.add(owner);
      onSilent?.();
    };
    try {
      for (;;) {
        const here = this.#owned.get(sid);
        const reply = here && (await this.#handle(request));
        if (reply !== undefined) return reply as OwnerReplies[Request['kind']];
        const owner = (await tables.get(OWNERS, sid)) as string | undefined;
        if (owner === undefined || owner === NO_OWNER) return undefined;
        if (owner === this.id) {
          if (this.#owned.get(sid) === undefined) return undefined;
        } else {
          const timer = onSilent && setTimeout(() => noteSilence(owner), CLAIM_PATIENCE);
          const sent = this.#mailbox.send(owner, request, OWNER_PATIENCE, { id, expires });
          const answer = await sent.finally(() => clearTimeout(timer));
          if (answer !== 'late' && answer !== undefined) return answer as OwnerReplies[Request['kind']];
          if (answer === 'late' && expires) await this.#mailbox.takeBack(owner, id);
        }
        if (performance.now() > until) {
          // A task whose owner is alive and silent stays in its queue.
          if (onSilent !== undefined) throw new Error('the owner of a task does not answer');
          return undefined;
        }
        await sleep(20, undefined, { ref: false });
      }
    } finally {
      for (const owner of silent) this.#silent.remove(owner);
    }
  }

  /** Does what a request asks for; undefined when the submission is not here. */
  async #handle(request: OwnerRequest): Promise<OwnerReply | undefined> {
    const active = this.#owned.get(request.sid);
    if (active === undefined) return undefined;
    switch (request.kind) {
      case 'claim':
        return active.handle((machine, moment) => {
          const { step, task } = machine.claim(request.claim, moment);
          return { step, reply: task === undefined ? {} : { task } };
        });
      case 'release':
        return active.handle((machine, moment) => ({
          step: machine.release(request.receipt, moment),
          reply: { isDone: true },
        }));
      case 'finish': {
        const { receipt, outcome } = request;
        const infos = await this.#owned.childInfos(outcome.kind === 'result' ? outcome.summary.children : []);
        return active.handle((machine, moment) => {
          const { step, isAccepted } = machine.finish(receipt, outcome, infos, moment);
          return { step, reply: { isAccepted } };
        });
      }
      case 'wants':
        return active.read((machine) => ({ isWanted: machine.wants(request.receipt) }));
      case 'preempt':
        return active.handle((machine, moment) => ({
          step: machine.preempt(request.taskId, request.reason, moment),
          reply: { isDone: true },
        }));
      case 'watch':
        return active.handle((machine, moment) => ({
          step: machine.watch(request.watcher, moment),
          reply: { isDone: true },
        }));
      case 'outstanding':
        return active.read((machine) => ({ counts: machine.outstanding() }));
      case 'cancel':
        return active.handle((machine, moment) => ({ step: machine.cancel(moment), reply: { isDone: true } }));
    }
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

  async #cancelWaiting(sid: string): Promise<boolean> {
    const { queues, tables } = this.#dependencies.coordination;
    if ((await queues.takeById(WAITING_QUEUE, sid)) === undefined) return false;
    const submissions = this.#dependencies.datastore.collection(submissionDocument);
    const submission = await submissions.get(sid, ACCESS);
    const completion: Completion = {
      sid,
      submitter: submission?.params.submitter ?? '',
      quota_item: submission?.params.quota_item ?? false,
      ...(submission?.scan_key == null ? {} : { scan_key: submission.scan_key }),
      cancelled: true,
    };
    if (submission !== undefined) await submissions.update(sid, [{ op: 'set', path: 'to_be_deleted', value: true }]);
    await queues.push(COMPLETED_QUEUE, [completion], { ids: [sid] });
    await tables.take(OWNERS, sid);
    return true;
  }

  /** Begins submissions that waited for room, or for the end of a pause. */
  async #takeWaiting(): Promise<void> {
    const { coordination, datastore, settings, log } = this.#dependencies;
    const submissions = datastore.collection(submissionDocument);
    while (this.#isRunning) {
      if (this.#owned.size >= settings.maxInflight) {
        this.#hasRoom = Promise.withResolvers();
        if (this.#owned.size >= settings.maxInflight) await this.#hasRoom.promise;
        continue;
      }
      try {
        if (await this.#isPaused()) {
          await sleep(PAUSED_INTERVAL, undefined, { ref: false });
          continue;
        }
        const [item] = await coordination.queues.take<{ readonly sid: string }>(WAITING_QUEUE, {
          wait: LOOK,
          visibility: VISIBILITY,
        });
        if (item === undefined) continue;
        // Others may have been begun meanwhile, and the dispatcher paused.
        if (!this.#isRunning || (await this.#isPaused()) || this.#owned.size >= settings.maxInflight) {
          await item.giveBack();
          continue;
        }
        const { sid } = item.item;
        const submission = await submissions.get(sid, ACCESS);
        const owner = await coordination.tables.get(OWNERS, sid);
        // An item that was delivered twice may have an owner.
        if (owner === undefined || owner === NO_OWNER) {
          await coordination.tables.take(OWNERS, sid);
          const isWanted = submission?.state === 'submitted' && !submission.to_be_deleted;
          const isOurs = isWanted && (await coordination.tables.putIfAbsent(OWNERS, sid, this.id));
          if (isOurs) await this.#begin(submission);
        }
        await item.acknowledge();
      } catch (err) {
        if (!this.#isRunning) return;
        log.warn({ err }, 'a waiting submission cannot be begun; it is tried again');
        await sleep(RETRY, undefined, { ref: false });
      }
    }
  }
}
