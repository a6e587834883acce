/** The limit that refuses a call. Metrics count refusals by these words. */
export type RefusalReason = 'rate_limit' | 'circuit_open' | 'quota' | 'too_many_waiting';

/** A call to a source that was not made because of a limit. The message is a complete sentence for the caller. */
export class CallRefused extends Error {
  readonly kind = 'refused';
  readonly reason: RefusalReason;
  /** When the next call is possible, if that is known. */
  readonly retryAt: Date | undefined;

  constructor(reason: RefusalReason, message: string, retryAt?: number) {
    super(message);
    this.name = 'CallRefused';
    this.reason = reason;
    this.retryAt = retryAt === undefined ? undefined : new Date(retryAt);
  }
}
