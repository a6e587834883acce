/** Counts of the dispatcher of this process since its start, for metrics. */
export class DispatchCounts {
  completed = 0;
  readonly timeouts = new Map<string, number>();
  readonly retryErrors = new Map<string, number>();

  add(what: 'completed' | 'timeout' | 'retry', service = ''): void {
    if (what === 'completed') this.completed += 1;
    else {
      const counts = what === 'timeout' ? this.timeouts : this.retryErrors;
      counts.set(service, (counts.get(service) ?? 0) + 1);
    }
  }
}
