/** Outcomes of the tasks of a service in this process, with the names of the public system. */
export interface ServiceCount {
  cache_hit: number;
  cache_miss: number;
  /** Tasks for which stored results were not looked up. */
  cache_skipped: number;
  execute: number;
  fail_recoverable: number;
  fail_nonrecoverable: number;
  scored: number;
  not_scored: number;
}

/** Counts outcomes of services in this process since its start, for metrics and heartbeats. */
export class ServiceCounts {
  readonly #counts = new Map<string, ServiceCount>();

  add(service: string, ...what: readonly (keyof ServiceCount)[]): void {
    const count = this.#counts.get(service) ?? noCount();
    for (const one of what) count[one] += 1;
    this.#counts.set(service, count);
  }

  of(service: string): Readonly<ServiceCount> {
    return this.#counts.get(service) ?? noCount();
  }

  /** Returns one of the counts for every service. */
  totals(what: keyof ServiceCount): ReadonlyMap<string, number> {
    return new Map([...this.#counts].map(([service, count]) => [service, count[what]]));
  }
}

function noCount(): ServiceCount {
  return {
    cache_hit: 0,
    cache_miss: 0,
    cache_skipped: 0,
    execute: 0,
    fail_recoverable: 0,
    fail_nonrecoverable: 0,
    scored: 0,
    not_scored: 0,
  };
}
