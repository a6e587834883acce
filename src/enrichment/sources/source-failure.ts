import { messageOf } from '../../errors/errors.ts';

/**
 * Why a source has no answer.
 * `unreachable`: no connection, or it broke. `timed_out`: the deadline passed. `status`: an error of the source, by its HTTP
 * status or in its envelope. `unusable`: an answer that is not of the protocol. `refused`: it was not asked, because of
 * a limit, or because the caller has no token for it. `cancelled`: the caller is gone.
 */
export type SourceFailureKind = 'unreachable' | 'timed_out' | 'status' | 'unusable' | 'refused' | 'cancelled';

export interface SourceFailureOptions {
  readonly cause?: unknown;
  /** HTTP status of the answer; 200 for an error that only the envelope names. */
  readonly status?: number | undefined;
  /** The message of the source itself. */
  readonly pluginMessage?: string | undefined;
  /** When a call may succeed again, if that is known. */
  readonly retryAt?: Date | undefined;
  /** True when the connection broke after it had been made. Default false. */
  readonly isReset?: boolean;
}

/**
 * A call to a source without an answer that can be used. The message of `refused` is for the
 * caller, others are for the log.
 */
export class SourceFailure extends Error {
  readonly kind: SourceFailureKind;
  readonly status: number | undefined;
  readonly pluginMessage: string | undefined;
  readonly retryAt: Date | undefined;
  readonly isReset: boolean;

  constructor(kind: SourceFailureKind, message: string, options: SourceFailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SourceFailure';
    this.kind = kind;
    this.status = options.status;
    this.pluginMessage = options.pluginMessage;
    this.retryAt = options.retryAt;
    this.isReset = options.isReset ?? false;
  }
}

/** The part of a failure that is looked at; limits have errors of their own with it. */
export type FailureLike = Error & Pick<SourceFailure, 'kind'> & Partial<SourceFailure>;

const KINDS: ReadonlySet<unknown> = new Set<SourceFailureKind>([
  'unreachable',
  'timed_out',
  'status',
  'unusable',
  'refused',
  'cancelled',
]);

/** Returns a thrown value as a failure; any other value becomes `unusable`. */
export function sourceFailure(thrown: unknown): FailureLike {
  if (thrown instanceof Error && 'kind' in thrown && KINDS.has(thrown.kind)) return thrown as FailureLike;
  return new SourceFailure('unusable', messageOf(thrown), { cause: thrown });
}
