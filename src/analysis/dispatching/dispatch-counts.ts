/** Counts of the dispatcher of this process since its start, for metrics. */
export class DispatchCounts {
  completed = 0;
  readonly timeouts = new Map<string, number>();
  /** Tasks that were given out again after an attempt. */
  readonly retries = new Map<string, number>();
  /** Tasks that failed after their last attempt. */
  readonly retryErrors = new Map<string, number>();

  add(what: 'completed' | 'timeout' | 'again' | 'retry', service = ''): void {
    if (what === 'completed') this.completed += 1;
    else {
      const counts = { timeout: this.timeouts, again: this.retries, retry: this.retryErrors }[what];
      counts.set(service, (counts.get(service) ?? 0) + 1);
    }
  }
}
