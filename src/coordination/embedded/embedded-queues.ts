import { randomUUID } from 'node:crypto';
import { parseJson } from '../../json/lossless-json.ts';
import type { QueueItem, Queues } from '../coordination.ts';
import type { CoordinationDatabase, CoordinationStatement } from './coordination-database.ts';
import { WaitQueue } from './wait-queue.ts';

const DEFAULT_VISIBILITY = 60_000;
/** Longest time (milliseconds) between two looks at a queue that is empty. */
const MAX_INTERVAL = 1000;

/** Items are rows; `taken_until` is 0 while one waits, else the end of its visibility time. */
export class EmbeddedQueues implements Queues {
  readonly #database: CoordinationDatabase;
  readonly #now: () => number;
  readonly #line = new WaitQueue();
  readonly #insert: CoordinationStatement;
  readonly #take: CoordinationStatement;
  readonly #returnOverdue: CoordinationStatement;
  readonly #nextReturn: CoordinationStatement;
  readonly #acknowledge: CoordinationStatement;
  readonly #giveBack: CoordinationStatement;
  readonly #count: CoordinationStatement;
  readonly #clear: CoordinationStatement;

  constructor(database: CoordinationDatabase, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#insert = database.prepare('INSERT INTO queue_items (queue, priority, item) VALUES (?, ?, ?)');
    this.#take = database.prepare(
      `UPDATE queue_items SET taken_until = ?1, receipt = ?2 WHERE sequence IN (
         SELECT sequence FROM queue_items WHERE queue = ?3 AND taken_until = 0
         ORDER BY priority DESC, sequence LIMIT ?4
       ) RETURNING sequence, priority, item`,
    );
    this.#returnOverdue = database.prepare(
      'UPDATE queue_items SET taken_until = 0, receipt = NULL WHERE queue = ? AND taken_until > 0 AND taken_until <= ?',
    );
    this.#nextReturn = database.prepare(
      'SELECT min(taken_until) AS next FROM queue_items WHERE queue = ? AND taken_until > 0',
    );
    this.#acknowledge = database.prepare('DELETE FROM queue_items WHERE sequence = ?');
    this.#giveBack = database.prepare(
      'UPDATE queue_items SET taken_until = 0, receipt = NULL WHERE sequence = ? AND receipt = ?',
    );
    this.#count = database.prepare('SELECT count(*) AS waiting FROM queue_items WHERE queue = ? AND taken_until = 0');
    this.#clear = database.prepare('DELETE FROM queue_items WHERE queue = ?');
  }

  async push(queue: string, items: readonly unknown[], options: { readonly priority?: number } = {}): Promise<void> {
    const texts = items.map((item) => JSON.stringify(item) ?? 'null');
    this.#database.transaction(() => {
      for (const text of texts) this.#insert.run(queue, options.priority ?? 0, text);
    });
    this.#line.wake(queue, items.length);
  }

  async take<T>(
    queue: string,
    options: { readonly max?: number; readonly wait?: number; readonly visibility?: number } = {},
  ): Promise<readonly QueueItem<T>[]> {
    const deadline = performance.now() + (options.wait ?? 0);
    for (;;) {
      const items = this.#takeNow<T>(queue, options.max ?? 1, options.visibility ?? DEFAULT_VISIBILITY);
      const patience = deadline - performance.now();
      if (items.length > 0 || patience <= 0) return items;
      const next = this.#nextReturn.get(queue)?.next;
      const overdueIn = typeof next === 'number' ? next - this.#now() : MAX_INTERVAL;
      await this.#line.wait(queue, Math.max(1, Math.min(patience, overdueIn, MAX_INTERVAL)));
      if (this.#line.closed) return [];
    }
  }

  async length(queue: string): Promise<number> {
    this.#returnOverdue.run(queue, this.#now());
    return Number(this.#count.get(queue)?.waiting);
  }

  async clear(queue: string): Promise<number> {
    return this.#clear.run(queue);
  }

  /** Ends all waiting without an item. */
  close(): void {
    this.#line.close();
  }

  #takeNow<T>(queue: string, max: number, visibility: number): QueueItem<T>[] {
    const receipt = randomUUID();
    this.#returnOverdue.run(queue, this.#now());
    const rows = this.#take.all(this.#now() + visibility, receipt, queue, max);
    // What RETURNING gives has no order.
    rows.sort((a, b) => Number(b.priority) - Number(a.priority) || Number(a.sequence) - Number(b.sequence));
    return rows.map((row) => {
      const sequence = Number(row.sequence);
      return {
        item: parseJson(String(row.item)) as T,
        acknowledge: async () => {
          this.#acknowledge.run(sequence);
        },
        giveBack: async () => {
          if (this.#giveBack.run(sequence, receipt) === 1) this.#line.wake(queue, 1);
        },
      };
    });
  }
}
