/** The limit that rejects a call. Metrics count rejected calls by these words. */
export type RejectionReason = 'rate_limit' | 'circuit_open' | 'quota' | 'too_many_waiting' | 'busy';

/** A call to a source that was not made because of a limit. The message is a sentence for the caller. */
export class CallRejected extends Error {
  readonly kind = 'refused';
  readonly reason: RejectionReason;
  /** When the next call is possible, if that is known. */
  readonly retryAt: Date | undefined;

  /** @param retryAt milliseconds since 1970 */
  constructor(reason: RejectionReason, message: string, retryAt?: number) {
    super(message);
    this.name = 'CallRejected';
    this.reason = reason;
    this.retryAt = retryAt === undefined ? undefined : new Date(retryAt);
  }
}

/** A call that was not made because its caller closed the connection while it waited. */
export class CallCancelled extends Error {
  readonly kind = 'cancelled';

  constructor(options?: { readonly cause: unknown }) {
    super('the caller is gone', options);
    this.name = 'CallCancelled';
  }
}
