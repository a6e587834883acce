import { CallRejected } from './call-rejected.ts';

/** The verdict of a call on its source: it answered, it did not, or the call ended for another reason. */
export type CallVerdict = 'answered' | 'silent' | 'unknown';

export interface CircuitBreakerOptions {
  /** Name of the source, for messages. */
  readonly source: string;
  /** Classifies the error of a failed call. An error status or an invalid answer counts as an answer. */
  readonly classify: (error: unknown) => CallVerdict;
  /** Says why a call had no answer, as a part of a sentence for callers. */
  readonly describe: (error: unknown) => string;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

export interface CircuitState {
  readonly state: 'closed' | 'open' | 'probing';
  /** When this state began, in milliseconds since 1970. */
  readonly since: number;
  /** When the next call is tried, unless closed. */
  readonly retryAt: number | undefined;
  /** Why it opened, as a part of a sentence, unless closed. */
  readonly cause: string | undefined;
}

/** Calls in a row without an answer that open the circuit, within `WINDOW` milliseconds. */
const MAX_SILENT = 10;
const WINDOW = 60_000;
const FIRST_PAUSE = 15_000;
const MAX_PAUSE = 5 * 60_000;

/**
 * Stops calling a source that does not answer. Ten calls in a row without an answer within 60 seconds
 * open the circuit for 15 seconds, doubled up to 5 minutes while the single probe after it fails too.
 * Any answer closes it, also of a call that began before.
 */
export class CircuitBreaker {
  readonly #source: string;
  readonly #classify: CircuitBreakerOptions['classify'];
  readonly #describe: CircuitBreakerOptions['describe'];
  readonly #now: () => number;
  /** Times of the last calls without an answer, the latest last. */
  #silent: number[] = [];
  #pause = FIRST_PAUSE;
  #open: { readonly retryAt: number; readonly cause: string } | undefined;
  #since: number;
  /** The probe that is under way. */
  #probe: object | undefined;

  constructor({ source, classify, describe, now = Date.now }: CircuitBreakerOptions) {
    this.#source = source;
    this.#classify = classify;
    this.#describe = describe;
    this.#now = now;
    this.#since = now();
  }

  state(): CircuitState {
    const state = this.#open === undefined ? 'closed' : this.#probe === undefined ? 'open' : 'probing';
    return { state, since: this.#since, retryAt: this.#open?.retryAt, cause: this.#open?.cause };
  }

  /** Throws when no call is possible now, without starting one. @throws CallRejected `circuit_open` */
  assertClosed(): void {
    if (this.#open === undefined) return;
    if (this.#probe === undefined && this.#now() >= this.#open.retryAt) return;
    const { cause } = this.#open;
    const retryAt = Math.max(this.#open.retryAt, this.#now() + 1000);
    throw new CallRejected(
      'circuit_open',
      `${this.#source} is not asked at the moment: ${cause}. It is tried again at ${new Date(retryAt).toISOString()}.`,
      retryAt,
    );
  }

  /** Runs a call unless the circuit is open. @throws CallRejected `circuit_open`; what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.assertClosed();
    const probe = this.#open === undefined ? undefined : {};
    this.#probe ??= probe;
    try {
      const result = await work();
      this.#answered();
      return result;
    } catch (error) {
      const verdict = this.#classify(error);
      if (verdict === 'answered') this.#answered();
      else if (verdict === 'silent') this.#notAnswered(error, probe !== undefined);
      throw error;
    } finally {
      if (probe !== undefined && this.#probe === probe) this.#probe = undefined;
    }
  }

  #answered(): void {
    this.#silent = [];
    this.#pause = FIRST_PAUSE;
    if (this.#open === undefined) return;
    this.#open = undefined;
    this.#since = this.#now();
  }

  #notAnswered(error: unknown, isProbe: boolean): void {
    const now = this.#now();
    if (isProbe) {
      this.#pause = Math.min(this.#pause * 2, MAX_PAUSE);
      this.#openUntil(now + this.#pause, error);
      return;
    }
    // Calls that began before the circuit opened say nothing new.
    if (this.#open !== undefined) return;
    this.#silent.push(now);
    if (this.#silent.length < MAX_SILENT) return;
    const [first = now] = this.#silent.splice(0, this.#silent.length - MAX_SILENT + 1);
    if (now - first > WINDOW) return;
    this.#silent = [];
    this.#since = now;
    this.#openUntil(now + this.#pause, error);
  }

  #openUntil(retryAt: number, error: unknown): void {
    this.#open = { retryAt, cause: `${MAX_SILENT} calls in a row had no answer (${this.#describe(error)})` };
  }
}
