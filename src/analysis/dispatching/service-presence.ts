import type { Tables } from '../../coordination/coordination.ts';

const TABLE = 'service-polls';
/** Milliseconds by which a time has to be later to be written again. */
const STEP = 5000;

/** Times until which the workers of each service are known to be there, shared by all processes. */
export class ServicePresence {
  readonly #tables: Tables;
  readonly #now: () => number;
  readonly #written = new Map<string, number>();
  readonly #since: number;

  constructor(tables: Tables, now: () => number) {
    this.#tables = tables;
    this.#now = now;
    this.#since = now();
  }

  /** Notes that a worker asked for tasks, or is busy until `until`. */
  async note(service: string, until = this.#now()): Promise<void> {
    const written = this.#written.get(service);
    if (written !== undefined && until < written + STEP) return;
    this.#written.set(service, until);
    await this.#tables.put(TABLE, service, until);
  }

  /** Returns when a worker of each service was there last, in milliseconds since 1970. */
  async lastPolls(): Promise<ReadonlyMap<string, number>> {
    const seen = await this.#tables.entries(TABLE);
    return new Map([...seen].map(([service, time]) => [service, Math.min(this.#now(), Number(time))]));
  }

  /** Milliseconds since no worker was there; a start of the program counts as one. */
  async absences(): Promise<(service: string) => number> {
    const seen = await this.#tables.entries(TABLE);
    const now = this.#now();
    return (service) => now - Math.max(this.#since, Number(seen.get(service) ?? 0));
  }
}
