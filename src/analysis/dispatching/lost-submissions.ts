import type { Coordination } from '../../coordination/coordination.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { allOf, type QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { NO_OWNER, OWNERS } from './owned-submissions.ts';

export interface LostSubmissionsDependencies {
  readonly submissions: Collection<Submission>;
  readonly tables: Coordination['tables'];
  readonly locks: Coordination['locks'];
  readonly now: () => number;
  readonly dispatch: (submission: Submission) => Promise<void>;
  /** Puts one that waits for a dispatcher into the queue, unless it is there. */
  readonly queue: (submission: Submission) => Promise<void>;
  readonly log: { warn(entry: object, message: string): void };
}

/** Milliseconds in which a submission may lack a dispatcher because it is being handed over. */
const GRACE = 60_000;
const FIRST_LOOK = 5000;
const INTERVAL = 10 * 60_000;
const LEASE = 60_000;
const ACCESS = unrestricted('the dispatcher looks for submissions of all users');

/** Dispatches stored submissions that no dispatcher has, because a process died in between. */
export class LostSubmissions {
  readonly #dependencies: LostSubmissionsDependencies;
  #timer: NodeJS.Timeout | undefined;
  #isOpen = false;

  constructor(dependencies: LostSubmissionsDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#isOpen = true;
    this.#schedule(FIRST_LOOK);
  }

  stop(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
  }

  /** Looks once. Returns the number of submissions found. */
  async look(): Promise<number> {
    const { submissions, tables, locks, dispatch, queue, log, now } = this.#dependencies;
    const lock = await locks.acquire('analysis:lost-submissions', LEASE);
    if (lock === undefined) return 0;
    let found = 0;
    try {
      const upper = { value: now() - GRACE, inclusive: false };
      const query: QueryNode = allOf(
        { kind: 'term', field: 'state', value: 'submitted' },
        { kind: 'range', field: 'times.submitted', upper },
      );
      for await (const { id } of submissions.stream({ query, fields: ['sid'] }, ACCESS)) {
        if (!this.#isOpen) return found;
        const owner = await tables.get(OWNERS, id);
        if (owner !== undefined && owner !== NO_OWNER) continue;
        const submission = await submissions.get(id, ACCESS);
        if (submission?.state !== 'submitted' || submission.to_be_deleted) continue;
        if (owner === NO_OWNER) {
          await queue(submission);
          continue;
        }
        log.warn({ sid: id }, 'a submission without a dispatcher was found; it is dispatched');
        await dispatch(submission);
        found += 1;
      }
    } finally {
      await lock.release();
    }
    return found;
  }

  #schedule(delay: number): void {
    this.#timer = setTimeout(() => {
      this.look()
        .catch((err: unknown) => {
          this.#dependencies.log.warn({ err }, 'lost submissions cannot be looked for; it is tried again');
        })
        .finally(() => {
          if (this.#isOpen) this.#schedule(INTERVAL);
        });
    }, delay).unref();
  }
}
