/** Totals of the analyzers of this process by service, since its start, for metrics. */
export class AnalyzerTotals {
  readonly tasks = new Map<string, number>();
  /** Tasks whose result was stored already. */
  readonly cached = new Map<string, number>();
  readonly failures = new Map<string, number>();
  /** Processes that were killed at a limit, or ended in the middle of a task. */
  readonly kills = new Map<string, number>();
  readonly seconds = new Map<string, number>();

  add(what: 'tasks' | 'cached' | 'failures' | 'kills' | 'seconds', service: string, by = 1): void {
    this[what].set(service, (this[what].get(service) ?? 0) + by);
  }
}
