import type { Coordination, QueueItem } from '../../coordination/coordination.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { IngestNotification } from './ingest-task.ts';

/** Beginning of the names of these queues. */
export const NOTIFICATION_QUEUES = 'nq-';
const MAX_NAME_LENGTH = 256;
/** Messages of one answer, when the caller names no number. */
const MAX_MESSAGES = 10_000;
const BATCH = 500;
/** Milliseconds in which a submitter has to receive what was taken. */
const VISIBILITY = 60_000;

/** Notifications that are on their way to their submitter. */
export interface TakenNotifications {
  readonly messages: readonly IngestNotification[];
  /** Removes them: the submitter has them. */
  acknowledge(): Promise<void>;
  /** Puts them back: the submitter has gone. */
  giveBack(): Promise<void>;
}

/** Queues of notifications, which submitters name. Those of other users cannot be read. */
export class NotificationQueues {
  readonly #queues: Coordination['queues'];
  readonly #now: () => number;

  constructor(queues: Coordination['queues'], now: () => number) {
    this.#queues = queues;
    this.#now = now;
  }

  /** Adds a notification, once while it waits. */
  async push(username: string, name: string, notification: IngestNotification): Promise<void> {
    await this.#queues.push(ownQueue(username, name), [notification], { ids: [notification.ingest_id] });
  }

  /**
   * Takes up to `max` notifications, the oldest first.
   * They come again unless they are acknowledged once the submitter has them.
   */
  async take(username: string, name: string, max = MAX_MESSAGES): Promise<TakenNotifications> {
    const items: QueueItem<IngestNotification>[] = [];
    const giveBack = async () => void (await Promise.all(items.map((one) => one.giveBack())));
    try {
      for (const queue of [...sharedQueues(name), ownQueue(username, name)]) {
        while (items.length < max) {
          const size = Math.min(BATCH, max - items.length);
          const taken = await this.#queues.take<IngestNotification>(queue, { max: size, visibility: VISIBILITY });
          if (taken.length === 0) break;
          items.push(...taken);
        }
      }
    } catch (error) {
      await giveBack().catch(() => undefined);
      throw error;
    }
    const acknowledge = async () => void (await Promise.all(items.map((one) => one.acknowledge())));
    return { messages: items.map(({ item }) => item), acknowledge, giveBack };
  }

  /** Removes queues whose oldest notification is older than `maxAge` milliseconds; their names. */
  async removeOld(maxAge: number): Promise<readonly string[]> {
    const removed: string[] = [];
    for (const queue of await this.#queues.list(NOTIFICATION_QUEUES)) {
      const [oldest] = await this.#queues.peek(queue);
      if (oldest === undefined || this.#now() - oldest.pushedAt < maxAge) continue;
      await this.#queues.clear(queue);
      removed.push(queue);
    }
    return removed;
  }
}

/** Checks the name of a queue that a submission asks for. @throws InvalidInput `invalid_submission` */
export function assertQueueName(name: string): void {
  if (name.length <= MAX_NAME_LENGTH) return;
  const message = `The name of a notification queue has at most ${MAX_NAME_LENGTH} characters.`;
  throw new InvalidInput('invalid_submission', message, { response: {}, at: 'notification_queue' });
}

function ownQueue(username: string, name: string): string {
  return `${NOTIFICATION_QUEUES}${Buffer.from(username).toString('hex').toUpperCase()}-${name}`;
}

/** Returns the queue of that name which older versions filled, unless it could be that of another user. */
function sharedQueues(name: string): readonly string[] {
  const dash = name.indexOf('-');
  const start = dash === -1 ? '' : name.slice(0, dash);
  const namesUser = start !== '' && start.length % 2 === 0 && /^[0-9A-F]+$/.test(start);
  return namesUser ? [] : [NOTIFICATION_QUEUES + name];
}
