import { type FailureLike, sourceFailure } from '../sources/source-failure.ts';

/** Text of the public system for a caller who has no token for the source. */
export const INVALID_TOKEN = 'Invalid token provided for this enrichment.';

/** Returns a thrown failure of a source. @throws any other value, and when the caller is gone */
export function failureOfRun(thrown: unknown): FailureLike {
  const failure = sourceFailure(thrown);
  if (failure !== thrown || failure.kind === 'cancelled') throw thrown;
  return failure;
}

/**
 * Returns the message for the caller of a call that was rejected before it was made: no token, or a
 * limit.
 */
export function refusalText({ retryAt, message }: FailureLike): string {
  return retryAt === undefined ? INVALID_TOKEN : message;
}

/** Returns the message of the source, else a sentence. @param doing such as `running fetcher` */
export function runFailureText({ kind, pluginMessage }: FailureLike, doing: string, name: string): string {
  const reason = kind === 'unreachable' ? 'ConnectionError' : 'JSONDecodeError';
  return pluginMessage ?? `Something went wrong when ${doing} from plugin '${name}': ${reason}.`;
}
