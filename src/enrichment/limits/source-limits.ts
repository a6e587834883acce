import type { Coordination } from '../../coordination/coordination.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import { FairSemaphore } from '../../identity/limits/fair-semaphore.ts';
import { CallCancelled, CallRejected } from './call-rejected.ts';
import { type CallVerdict, CircuitBreaker, type CircuitState } from './circuit-breaker.ts';
import { type RateLeft, RateLimits } from './rate-limits.ts';
import { SourceStatistics } from './source-statistics.ts';
import { UserQuota } from './user-quota.ts';

export interface SourceLimitsDependencies {
  /** Name of the source. */
  readonly source: string;
  /** Concurrent calls. */
  readonly concurrency: number;
  /** Rates such as `4/minute`. */
  readonly rates: readonly string[];
  /** The on-behalf-of target of the source with its quota, if it has one. */
  readonly target?: { readonly name: string; readonly quota: number | undefined } | undefined;
  readonly coordination: Pick<Coordination, 'locks' | 'tables' | 'counters'>;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Called with the time that each answer took. */
  readonly onAnswer?: (seconds: number) => void;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/** The part of a call that its limits depend on. */
export interface CallToLimit {
  readonly kind: 'types' | 'lookup' | 'actions' | 'run_action' | 'fetchers' | 'run_fetcher';
  /** Identifies the caller that waits; undefined for discovery, which serves all. */
  readonly username: string | undefined;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/**
 * Calls that count against the rates: those that a source passes on to others. It answers its
 * listings alone.
 */
const RATED: ReadonlySet<CallToLimit['kind']> = new Set(['lookup', 'run_action', 'run_fetcher']);
/**
 * Shortest time in milliseconds after which a call without an answer counts as a failure of the
 * source. A caller who allows no time must not open the circuit for others.
 */
const PATIENCE = 2000;
/** Limit of the calls that wait for a slot; those of one user may be half of them. */
const MAX_WAITING = 2000;

/**
 * Applies the limits of one source to its calls: circuit breaker, quota of the user, concurrency,
 * rates. Discovery of types needs no slot, so that calls that hang do not hide a source.
 */
export class SourceLimits {
  readonly statistics: SourceStatistics;
  readonly concurrency: number;
  readonly #source: string;
  readonly #onAnswer: (seconds: number) => void;
  readonly #now: () => number;
  readonly #breaker: CircuitBreaker;
  readonly #quota: UserQuota | undefined;
  readonly #slots: FairSemaphore;
  readonly #rates: RateLimits;

  constructor(dependencies: SourceLimitsDependencies) {
    const { source, concurrency, rates, target, coordination, log, now = Date.now } = dependencies;
    this.#source = source;
    this.concurrency = concurrency;
    this.#onAnswer = dependencies.onAnswer ?? (() => {});
    this.#now = now;
    this.statistics = new SourceStatistics(now());
    this.#breaker = new CircuitBreaker({ source, classify: verdictOf, describe: silenceOf, now });
    this.#slots = new FairSemaphore({
      slots: concurrency,
      slotsOfCaller: slotsOfUser(concurrency),
      maxWaiting: MAX_WAITING,
      maxWaitingOfCaller: MAX_WAITING / 2,
      refusal: () =>
        new CallRejected(
          'too_many_waiting',
          `Too many calls wait for ${source}. Send fewer requests at the same time.`,
        ),
    });
    this.#rates = new RateLimits({ source, rates, coordination, log, now });
    if (target?.quota !== undefined) {
      const { counters } = coordination;
      this.#quota = new UserQuota({ target: target.name, quota: target.quota, counters, log, now });
    }
  }

  circuit(): CircuitState {
    return this.#breaker.state();
  }

  /** Calls that wait for a slot, or until they fit the rates. */
  get waiting(): number {
    return this.#slots.waiting + this.#rates.waiting;
  }

  /** Calls that wait for the answer of the source, or until they fit the rates. */
  get working(): number {
    return this.#slots.running;
  }

  left(): Promise<readonly RateLeft[]> {
    return this.#rates.left();
  }

  /**
   * Runs a call as soon as its limits allow it. `limited` may wait for the rates again, for each
   * request that it makes after the first.
   * @throws CallRejected when a limit allows no call before the deadline; CallCancelled; what `limited` throws
   */
  async run<T>(call: CallToLimit, limited: (anotherRequest: () => Promise<void>) => Promise<T>): Promise<T> {
    const { kind, username = '', deadline, signal } = call;
    const work = () =>
      limited(async () => {
        if (RATED.has(kind)) await this.#rates.wait(username, deadline, signal);
      });
    try {
      this.#breaker.assertClosed();
      if (call.username === undefined) return await this.#call(call, work);
      const withSlot = () => this.#withSlot(call, username, work);
      if (this.#quota === undefined || call.kind !== 'lookup') return await withSlot();
      return await this.#quota.run(call.username, call.deadline, withSlot);
    } catch (error) {
      if (error instanceof CallRejected) {
        this.statistics.failed({ kind: error.kind, status: undefined, at: this.#now() }, error.reason);
      }
      throw error;
    }
  }

  async #withSlot<T>(call: CallToLimit, who: string, work: () => Promise<T>): Promise<T> {
    const { signal, deadline } = call;
    let isStarted = false;
    const late = AbortSignal.timeout.bind(AbortSignal, Math.max(0, deadline - this.#now()));
    const ending = this.#slots.isFreeFor(who) ? signal : AbortSignal.any([signal, late()]);
    const limited = async () => {
      if (RATED.has(call.kind)) {
        // The circuit may have opened meanwhile; a call that is not made must not count.
        this.#breaker.assertClosed();
        await this.#rates.wait(who, deadline, signal);
      }
      isStarted = true;
      return await this.#call(call, work);
    };
    try {
      return await this.#slots.run(who, limited, ending);
    } catch (error) {
      if (isStarted || error instanceof CallRejected) throw error;
      if (signal.aborted) throw new CallCancelled({ cause: error });
      if (!ending.aborted) throw error;
      throw new CallRejected('busy', `${this.#source} was busy with other calls until this call's deadline.`);
    }
  }

  #answered(milliseconds: number): void {
    this.statistics.answered(milliseconds, this.#now());
    this.#onAnswer(milliseconds / 1000);
  }

  #call<T>({ kind }: CallToLimit, work: () => Promise<T>): Promise<T> {
    return this.#breaker.run(async () => {
      this.statistics.called(kind);
      const began = this.#now();
      const start = performance.now();
      try {
        const result = await work();
        this.#answered(performance.now() - start);
        return result;
      } catch (error) {
        const now = this.#now();
        if (!isNotFound(error)) this.statistics.failed({ kind: kindOf(error), status: statusOf(error), at: now });
        else this.#answered(performance.now() - start);
        if (isUncounted(kindOf(error), kind, now - began)) uncounted.add(error as object);
        throw error;
      }
    });
  }
}

/**
 * Returns the slots that one user may hold: from two slots on all but the last quarter, at least one
 * slot, so that calls that hang never lock the other users out.
 */
function slotsOfUser(concurrency: number): number {
  return Math.max(1, concurrency - Math.max(1, Math.floor(concurrency / 4)));
}

/** Errors of calls from which nothing follows for the next call. */
const uncounted = new WeakSet<object>();
/**
 * Returns true for a call whose caller gave the source little time, and for a listing without a
 * connection: a failed listing must not open the circuit for lookups.
 */
function isUncounted(failure: string, kind: CallToLimit['kind'], milliseconds: number): boolean {
  return failure === 'unreachable' ? !RATED.has(kind) : failure === 'timed_out' && milliseconds < PATIENCE;
}

function verdictOf(error: unknown): CallVerdict {
  const kind = kindOf(error);
  if (kind === 'unreachable' || kind === 'timed_out') return uncounted.has(error as object) ? 'unknown' : 'silent';
  return kind === 'status' || kind === 'unusable' ? 'answered' : 'unknown';
}

/** Describes a call without an answer, without the addresses that its error may name. */
function silenceOf(error: unknown): string {
  return kindOf(error) === 'timed_out' ? 'the last one timed out' : 'the last one could not connect';
}

/** Returns the kind of a failure of a source; `internal` for an error of the program. */
function kindOf(error: unknown): string {
  return error instanceof Error && 'kind' in error && typeof error.kind === 'string' ? error.kind : 'internal';
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : undefined;
}

/** Returns true for status 404, with which a source says that it found nothing. */
function isNotFound(error: unknown): boolean {
  return kindOf(error) === 'status' && statusOf(error) === 404;
}
