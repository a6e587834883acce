import type { Tables } from '../../coordination/coordination.ts';
import type { Fact } from './progress/facts.ts';

const DIGITS = 8;

/** Another process has written the journal since: it owns the submission now. */
export class Superseded extends Error {}

/**
 * The facts of one submission in a durable table, an entry a step.
 * Entries are numbered and never replaced, so that of two writers one notices the other.
 */
export class Journal {
  readonly #tables: Tables;
  readonly #table: string;
  #next: number;

  constructor(tables: Tables, sid: string, next = 0) {
    this.#tables = tables;
    this.#table = `submission:${sid}`;
    this.#next = next;
  }

  /** Reads the facts so far; none when there is no journal. */
  async read(): Promise<Fact[]> {
    const entries = [...(await this.#tables.entries(this.#table))].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#next = entries.length;
    return entries.flatMap(([, facts]) => facts as Fact[]);
  }

  /** Appends the facts of a step. @throws Superseded */
  async append(facts: readonly Fact[]): Promise<void> {
    if (facts.length === 0) return;
    const key = String(this.#next).padStart(DIGITS, '0');
    if (!(await this.#tables.putIfAbsent(this.#table, key, facts))) {
      throw new Superseded(`${this.#table} has an entry ${key} of another process`);
    }
    this.#next += 1;
  }

  async drop(): Promise<void> {
    await this.#tables.drop(this.#table);
  }
}
