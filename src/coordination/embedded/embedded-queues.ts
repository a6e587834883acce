import { randomUUID } from 'node:crypto';
import { MAX_PRIORITIES, type QueueItem, type Queues, readQueueItem, type WaitingItem } from '../coordination.ts';
import type { CoordinationDatabase } from './coordination-database.ts';
import { namesWithPrefix } from './names-with-prefix.ts';
import { WaitQueue } from './wait-queue.ts';

const DEFAULT_VISIBILITY = 60_000;
/** Longest time (milliseconds) between two looks at a queue that is empty. */
const MAX_INTERVAL = 1000;

/**
 * Items are rows; `taken_until` is 0 while one waits, else the end of its visibility time.
 * One process at a time has the database open: items that a former one had taken are delivered again at once.
 */
export function embeddedQueues(database: CoordinationDatabase, now: () => number) {
  const line = new WaitQueue();
  database.prepare('UPDATE queue_items SET taken_until = 0, receipt = NULL WHERE taken_until > 0').run();
  const insert = database.prepare(
    'INSERT OR IGNORE INTO queue_items (queue, priority, item, id, pushed) VALUES (?, ?, ?, ?, ?)',
  );
  const takeItems = database.prepare(
    `UPDATE queue_items SET taken_until = ?1, receipt = ?2 WHERE sequence IN (
       SELECT sequence FROM queue_items WHERE queue = ?3 AND taken_until = 0
       ORDER BY priority DESC, sequence LIMIT ?4
     ) RETURNING sequence, priority, item`,
  );
  const returnOverdue = database.prepare(
    'UPDATE queue_items SET taken_until = 0, receipt = NULL WHERE queue = ? AND taken_until > 0 AND taken_until <= ?',
  );
  const nextReturn = database.prepare(
    'SELECT min(taken_until) AS next FROM queue_items WHERE queue = ? AND taken_until > 0',
  );
  const removeItem = database.prepare('DELETE FROM queue_items WHERE sequence = ?');
  const returnItem = database.prepare(
    'UPDATE queue_items SET taken_until = 0, receipt = NULL WHERE sequence = ? AND receipt = ?',
  );
  const removeById = database.prepare(
    'DELETE FROM queue_items WHERE queue = ? AND id = ? AND taken_until = 0 RETURNING item',
  );
  const columns = 'SELECT item, id, priority, pushed FROM queue_items WHERE queue = ? AND taken_until = 0';
  const peekNext = database.prepare(`${columns} ORDER BY priority DESC, sequence LIMIT ?`);
  const peekLast = database.prepare(`${columns} ORDER BY priority, sequence DESC LIMIT ?`);
  const nextName = database.prepare('SELECT min(queue) AS name FROM queue_items WHERE queue >= ?');
  const nextNameAfter = database.prepare('SELECT min(queue) AS name FROM queue_items WHERE queue > ?');
  const count = database.prepare('SELECT count(*) AS waiting FROM queue_items WHERE queue = ? AND taken_until = 0');
  // One look into the index for each priority that occurs: a look at every item would block for seconds.
  const oldestItem = database.prepare(
    `WITH RECURSIVE priorities (priority) AS (
       SELECT max(priority) FROM queue_items WHERE queue = ?1 AND taken_until = 0
       UNION ALL
       SELECT (SELECT max(priority) FROM queue_items WHERE queue = ?1 AND taken_until = 0 AND priority < p.priority)
       FROM priorities p WHERE p.priority IS NOT NULL LIMIT ${MAX_PRIORITIES}
     )
     SELECT min((SELECT pushed FROM queue_items q WHERE queue = ?1 AND taken_until = 0 AND q.priority = p.priority
       ORDER BY sequence LIMIT 1)) AS pushed FROM priorities p`,
  );
  const remove = database.prepare('DELETE FROM queue_items WHERE queue = ?');

  const takeNow = <T>(queue: string, max: number, visibility: number): QueueItem<T>[] => {
    const receipt = randomUUID();
    returnOverdue.run(queue, now());
    const rows = takeItems.all(now() + visibility, receipt, queue, max);
    // What RETURNING gives has no order.
    rows.sort((a, b) => Number(b.priority) - Number(a.priority) || Number(a.sequence) - Number(b.sequence));
    return rows.map((row) => {
      const sequence = Number(row.sequence);
      return {
        item: readQueueItem(String(row.item)) as T,
        acknowledge: async () => {
          removeItem.run(sequence);
        },
        giveBack: async () => {
          if (returnItem.run(sequence, receipt) === 1) line.wake(queue, 1);
        },
      };
    });
  };

  return {
    async push(queue, items, { priority = 0, ids = [] } = {}) {
      const texts = items.map((item) => JSON.stringify(item) ?? 'null');
      const pushed = database.transaction(() =>
        texts.reduce((sum, text, index) => sum + insert.run(queue, priority, text, ids[index] ?? null, now()), 0),
      );
      line.wake(queue, pushed);
    },

    async take<T>(queue: string, { max = 1, wait = 0, visibility = DEFAULT_VISIBILITY } = {}) {
      const deadline = performance.now() + wait;
      for (;;) {
        const items = takeNow<T>(queue, max, visibility);
        const patience = deadline - performance.now();
        if (items.length > 0 || patience <= 0) return items;
        const next = nextReturn.get(queue)?.next;
        const overdueIn = typeof next === 'number' ? next - now() : MAX_INTERVAL;
        await line.wait(queue, Math.max(1, Math.min(patience, overdueIn, MAX_INTERVAL)));
        if (line.closed) return [];
      }
    },

    async takeById<T>(queue: string, id: string) {
      returnOverdue.run(queue, now());
      const row = removeById.get(queue, id);
      return row && (readQueueItem(String(row.item)) as T);
    },

    async peek<T>(
      queue: string,
      { max = 1, from = 'next' }: { readonly max?: number; readonly from?: 'next' | 'last' } = {},
    ) {
      returnOverdue.run(queue, now());
      return (from === 'next' ? peekNext : peekLast).all(queue, max).map(
        (row): WaitingItem<T> => ({
          item: readQueueItem(String(row.item)) as T,
          ...(row.id === null ? {} : { id: String(row.id) }),
          priority: Number(row.priority),
          pushedAt: Number(row.pushed),
        }),
      );
    },

    async length(queue) {
      returnOverdue.run(queue, now());
      return Number(count.get(queue)?.waiting);
    },
    async oldest(queue) {
      returnOverdue.run(queue, now());
      const pushed = oldestItem.get(queue)?.pushed;
      // Items of earlier releases have no time.
      return typeof pushed === 'number' && pushed > 0 ? pushed : undefined;
    },
    clear: async (queue) => remove.run(queue),
    list: async (prefix) => namesWithPrefix(prefix, nextName, nextNameAfter),

    close: () => line.close(),
  } satisfies Queues & { close(): void };
}
