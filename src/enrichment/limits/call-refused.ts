/** The limit that refuses a call. Metrics count refusals by these words. */
export type RefusalReason = 'rate_limit' | 'circuit_open' | 'quota' | 'too_many_waiting' | 'busy';

/** A call to a source that was not made because of a limit. The message is a sentence for the caller. */
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

/** A call that ended before its turn, because its caller is gone. */
export class CallCancelled extends Error {
  readonly kind = 'cancelled';

  constructor(options?: { readonly cause: unknown }) {
    super('the caller is gone', options);
    this.name = 'CallCancelled';
  }
}
