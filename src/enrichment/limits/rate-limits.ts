import { type CallRate, type CallTimes, nextCallAt, readCallRates, timesWithin, withCall } from './call-rate.ts';
import { CallRejected } from './call-rejected.ts';
import { LOCK_WAIT, SharedCallTimes, type SharedCallTimesDependencies } from './shared-call-times.ts';
import { startTimer } from './start-timer.ts';

export interface RateLimitsDependencies extends Omit<SharedCallTimesDependencies, 'rates'> {
  /** Rates such as `4/minute`, as the settings have them. */
  readonly rates: readonly string[];
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
  /** Calls back after a time in milliseconds; returns a function that cancels that. For tests. */
  readonly after?: (milliseconds: number, callback: () => void) => () => void;
}

/** The rest of one rate, until the oldest call that counts is over. */
export interface RateLeft {
  readonly limit: string;
  readonly left: number;
  /** When more calls fit; undefined when none was made. */
  readonly until: Date | undefined;
}

interface Waiter {
  readonly who: string;
  readonly deadline: number;
  grant(): void;
  reject(error: unknown): void;
}

/** Milliseconds that a call must have left after it waited. */
const MIN_CALL_TIME = 100;

/**
 * Keeps the calls to a source within its rates, over all processes: at most so many in any period of
 * that length, which holds for fixed and for sliding windows of the vendor. Waiting users get equal
 * shares. While coordination is unavailable each process counts alone, from the last known state.
 */
export class RateLimits {
  readonly #source: string;
  readonly #rates: readonly CallRate[];
  readonly #times: SharedCallTimes;
  readonly #now: () => number;
  readonly #after: NonNullable<RateLimitsDependencies['after']>;
  #waiting: Waiter[] = [];
  /** When a user was served last, by a number that grows; users without waiting calls are forgotten. */
  readonly #served = new Map<string, number>();
  #servings = 0;
  #isServing = false;
  /** A call arrived that the current run has not considered. */
  #hasArrived = false;
  #cancelTimer: (() => void) | undefined;

  constructor({ rates, now = Date.now, after = timerAfter, ...dependencies }: RateLimitsDependencies) {
    this.#source = dependencies.source;
    this.#rates = readCallRates(rates);
    this.#times = new SharedCallTimes({ ...dependencies, rates: this.#rates });
    this.#now = now;
    this.#after = after;
  }

  /** Calls that wait until they fit. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves when a call may be made, which counts from then on.
   * @param deadline milliseconds since 1970
   * @throws CallRejected `rate_limit` at once when the call does not fit before its deadline; the reason of `signal`
   */
  async wait(who: string, deadline: number, signal: AbortSignal): Promise<void> {
    if (this.#rates.length === 0) return;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', abort);
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
        if (!this.#waiting.some((one) => one.who === who)) this.#served.delete(who);
      };
      const abort = () => waiter.reject(signal.reason);
      const waiter: Waiter = {
        who,
        deadline,
        grant: () => {
          leave();
          resolve();
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      this.#waiting.push(waiter);
      this.#hasArrived = true;
      signal.addEventListener('abort', abort, { once: true });
      void this.#serve();
    });
  }

  /** Returns what is left of each rate, in all processes. */
  async left(): Promise<readonly RateLeft[]> {
    const now = this.#now();
    const all = this.#rates.length === 0 ? [] : await this.#times.read();
    return this.#rates.map((rate, index) => {
      const times = timesWithin(all[index] ?? [], rate, now);
      const used = times.reduce((sum, [, calls]) => sum + calls, 0);
      const [oldest] = times;
      const until = oldest === undefined ? undefined : new Date(oldest[0] + rate.period);
      return { limit: rate.text, left: Math.max(0, rate.calls - used), until };
    });
  }

  /** Serves the waiting calls, one run at a time, and sets the timer for the rest. */
  async #serve(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    try {
      do {
        this.#hasArrived = false;
        for (const waiter of await this.#countFitting()) {
          this.#served.set(waiter.who, ++this.#servings);
          waiter.grant();
        }
      } while (this.#hasArrived);
    } catch (error) {
      for (const waiter of this.#waiting) waiter.reject(error);
    } finally {
      this.#isServing = false;
      this.#setTimer();
    }
  }

  /** Returns the calls that are granted, which are counted already. */
  async #countFitting(): Promise<readonly Waiter[]> {
    let granted: readonly Waiter[] = [];
    const isUpdated = await this.#times.update((times) => {
      const fitting = this.#fitting(times);
      granted = fitting.granted;
      return granted.length === 0 ? undefined : fitting.times;
    });
    if (!isUpdated) {
      this.#rejectLate();
      this.#hasArrived = this.#waiting.length > 0;
    }
    return granted;
  }

  /**
   * Returns the calls that fit now, with the times that include them, and rejects those that cannot
   * fit in time.
   */
  #fitting(times: readonly CallTimes[]): { readonly granted: readonly Waiter[]; readonly times: readonly CallTimes[] } {
    const now = this.#now();
    let counted: readonly CallTimes[] = this.#rates.map((rate, index) => timesWithin(times[index] ?? [], rate, now));
    // Times as they will be when the calls before this one are served.
    let planned = counted;
    const granted: Waiter[] = [];
    for (const waiter of this.#byFairness()) {
      const at = this.#nextCallAt(planned, now);
      if (at + MIN_CALL_TIME > waiter.deadline) {
        waiter.reject(this.#rejection(at));
        continue;
      }
      planned = this.#rates.map((rate, index) => withCall(timesWithin(planned[index] ?? [], rate, at), rate, at));
      if (at > now) continue;
      counted = planned;
      granted.push(waiter);
    }
    return { granted, times: counted };
  }

  /** Returns the earliest time at which one more call fits every rate. */
  #nextCallAt(times: readonly CallTimes[], now: number): number {
    return Math.max(now, ...this.#rates.map((rate, index) => nextCallAt(times[index] ?? [], rate, now)));
  }

  /** Returns the waiting calls: the first of each user, those served longest ago first, then the second. */
  #byFairness(): readonly Waiter[] {
    const rounds = new Map<string, number>();
    return this.#waiting
      .map((waiter) => {
        const round = rounds.get(waiter.who) ?? 0;
        rounds.set(waiter.who, round + 1);
        return { waiter, round, served: this.#served.get(waiter.who) ?? 0 };
      })
      .sort((a, b) => a.round - b.round || a.served - b.served)
      .map(({ waiter }) => waiter);
  }

  #rejectLate(): void {
    const now = this.#now();
    for (const waiter of this.#waiting) {
      if (now + MIN_CALL_TIME > waiter.deadline) waiter.reject(this.#rejection(now + LOCK_WAIT));
    }
  }

  #rejection(at: number): CallRejected {
    const rates = this.#rates.map(({ text }) => text).join(', ');
    return new CallRejected(
      'rate_limit',
      `The rate limit of ${this.#source} (${rates}) is exhausted. The next call is possible at ${new Date(at).toISOString()}.`,
      at,
    );
  }

  #setTimer(): void {
    if (this.#waiting.length === 0 || this.#cancelTimer !== undefined) return;
    const now = this.#now();
    const known = this.#rates.map((rate, index) => timesWithin(this.#times.known[index] ?? [], rate, now));
    this.#cancelTimer = this.#after(Math.max(1, this.#nextCallAt(known, now) - now), () => {
      this.#cancelTimer = undefined;
      void this.#serve();
    });
  }
}

function timerAfter(milliseconds: number, callback: () => void): () => void {
  const timer = startTimer(callback, milliseconds);
  return () => clearTimeout(timer);
}
