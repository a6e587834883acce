import type { FailureLike } from '../source-failure.ts';

/**
 * Returns the sentence that explains to the caller of a lookup why a source has no usable answer. The
 * texts are those of the public system, whose clients show them.
 * @param errorId names the entry of the log that has the details
 */
export function lookupFailureText(source: string, failure: FailureLike, errorId: string): string {
  if (failure.kind === 'timed_out') return 'Request Timed Out';
  if (failure.kind === 'refused') return failure.message;
  if (failure.kind === 'cancelled') return 'Request Cancelled';
  if (failure.kind === 'unreachable' && failure.isReset !== true) {
    return `Could not connect to ${source}. Error ID: ${errorId}`;
  }
  const { status = 0, pluginMessage } = failure;
  if (failure.kind === 'status' && status < 500) {
    if (pluginMessage !== undefined) return pluginMessage;
    if (status === 422) return `${source} cannot process this selector. Error ID: ${errorId}`;
    if (status === 429) return `${source} accepts no more requests at the moment. Error ID: ${errorId}`;
  }
  return `${source} did not return a response in the expected format. Error ID: ${errorId}`;
}
