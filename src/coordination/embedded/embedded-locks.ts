import { randomUUID } from 'node:crypto';
import type { Lock, Locks } from '../coordination.ts';
import type { CoordinationDatabase, CoordinationStatement } from './coordination-database.ts';
import { WaitingLine } from './waiting-line.ts';

/** Longest time (milliseconds) between two looks at a lock that is held. */
const LONGEST_NAP = 1000;

export class EmbeddedLocks implements Locks {
  readonly #now: () => number;
  readonly #line = new WaitingLine();
  readonly #seize: CoordinationStatement;
  readonly #expiry: CoordinationStatement;
  readonly #renew: CoordinationStatement;
  readonly #delete: CoordinationStatement;

  constructor(database: CoordinationDatabase, now: () => number) {
    this.#now = now;
    this.#seize = database.prepare(
      `INSERT INTO locks (name, holder, expires) VALUES (?1, ?2, ?3)
       ON CONFLICT (name) DO UPDATE SET holder = ?2, expires = ?3 WHERE expires <= ?4`,
    );
    this.#expiry = database.prepare('SELECT expires FROM locks WHERE name = ?');
    this.#renew = database.prepare('UPDATE locks SET expires = ? WHERE name = ? AND holder = ? AND expires > ?');
    this.#delete = database.prepare('DELETE FROM locks WHERE name = ? AND holder = ?');
  }

  async acquire(name: string, lease: number, options: { readonly wait?: number } = {}): Promise<Lock | undefined> {
    const holder = randomUUID();
    const deadline = performance.now() + (options.wait ?? 0);
    while (this.#seize.run(name, holder, this.#now() + lease, this.#now()) === 0) {
      const patience = deadline - performance.now();
      if (patience <= 0) return undefined;
      const heldFor = Number(this.#expiry.get(name)?.expires) - this.#now();
      await this.#line.wait(name, Math.max(1, Math.min(patience, heldFor, LONGEST_NAP)));
      if (this.#line.closed) return undefined;
    }
    return {
      renew: async (newLease) => this.#renew.run(this.#now() + newLease, name, holder, this.#now()) === 1,
      release: async () => {
        if (this.#delete.run(name, holder) === 1) this.#line.wake(name, 1);
      },
    };
  }

  /** Those who wait give up. */
  close(): void {
    this.#line.close();
  }
}
