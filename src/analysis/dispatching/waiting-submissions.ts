import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { COMPLETED_QUEUE, type Completion } from './completion-message.ts';
import type { DispatchSettings } from './dispatch-settings.ts';
import { NO_OWNER, OWNERS, type OwnedSubmissions } from './owned-submissions.ts';

export interface WaitingSubmissionsDependencies {
  /** Id of the dispatcher of this process. */
  readonly id: string;
  readonly coordination: Pick<Coordination, 'queues' | 'tables'>;
  readonly submissions: Collection<Submission>;
  readonly owned: Pick<OwnedSubmissions, 'size'>;
  readonly settings: Pick<DispatchSettings, 'maxInflight'>;
  /** Returns false while administrators pause the dispatcher. Default: never paused. */
  readonly isActive?: () => Promise<boolean>;
  /** Begins a submission of this process. */
  readonly begin: (submission: Submission) => Promise<void>;
  readonly log: { warn(entry: object, message: string): void };
}

/** Queue of submissions that wait for a dispatcher with room. */
export const WAITING_QUEUE = 'dispatching:waiting';
/** Milliseconds that one look for waiting submissions lasts. */
const LOOK = 2000;
const VISIBILITY = 30_000;
const RETRY = 1000;
/** Milliseconds between two checks whether a paused dispatcher is resumed. */
const PAUSED_INTERVAL = 250;
const ACCESS = unrestricted('the dispatcher takes over submissions of all users');

/** Submissions that wait for any process with room for them; higher priorities are begun first. */
export class WaitingSubmissions {
  readonly #dependencies: WaitingSubmissionsDependencies;
  #freed = Promise.withResolvers<void>();
  #isStopped = false;

  constructor(dependencies: WaitingSubmissionsDependencies) {
    this.#dependencies = dependencies;
  }

  get hasRoom(): boolean {
    const { owned, settings } = this.#dependencies;
    return owned.size < settings.maxInflight;
  }

  async isPaused(): Promise<boolean> {
    const { isActive } = this.#dependencies;
    return isActive !== undefined && !(await isActive());
  }

  /** Lets a submission wait; one that waits already stays where it is. */
  async push({ sid, params }: Pick<Submission, 'sid' | 'params'>): Promise<void> {
    const { queues } = this.#dependencies.coordination;
    await queues.push(WAITING_QUEUE, [{ sid }], { priority: params.priority, ids: [sid] });
  }

  /** Tells that a submission of this process ended. */
  freed(): void {
    this.#freed.resolve();
  }

  stop(): void {
    this.#isStopped = true;
    this.#freed.resolve();
  }

  /** Ends a waiting submission that is about to be deleted. Returns whether it waited. */
  async cancel(sid: string): Promise<boolean> {
    const { coordination, submissions } = this.#dependencies;
    const { queues, tables } = coordination;
    if ((await queues.takeById(WAITING_QUEUE, sid)) === undefined) return false;
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

  /** Begins submissions that waited for room, or for the end of a pause, until it is stopped. */
  async serve(): Promise<void> {
    const { id, coordination, submissions, begin, log } = this.#dependencies;
    while (!this.#isStopped) {
      if (!this.hasRoom) {
        this.#freed = Promise.withResolvers();
        if (!this.hasRoom) await this.#freed.promise;
        continue;
      }
      try {
        if (await this.isPaused()) {
          await sleep(PAUSED_INTERVAL, undefined, { ref: false });
          continue;
        }
        const [item] = await coordination.queues.take<{ readonly sid: string }>(WAITING_QUEUE, {
          wait: LOOK,
          visibility: VISIBILITY,
        });
        if (item === undefined) continue;
        // Others may have been begun meanwhile, and the dispatcher paused.
        if (this.#isStopped || (await this.isPaused()) || !this.hasRoom) {
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
          const isOurs = isWanted && (await coordination.tables.putIfAbsent(OWNERS, sid, id));
          if (isOurs) await begin(submission);
        }
        await item.acknowledge();
      } catch (err) {
        if (this.#isStopped) return;
        log.warn({ err }, 'a waiting submission cannot be begun; it is tried again');
        await sleep(RETRY, undefined, { ref: false });
      }
    }
  }
}
