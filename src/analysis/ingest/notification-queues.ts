import type { Coordination } from '../../coordination/coordination.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { IngestNotification } from './ingest-task.ts';

const PREFIX = 'nq-';
const MAX_NAME_LENGTH = 256;
/** Messages of one answer, when the caller names no number. */
const MAX_MESSAGES = 10_000;
const BATCH = 500;

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

  /** Takes up to `max` notifications out, the oldest first. */
  async take(username: string, name: string, max = MAX_MESSAGES): Promise<readonly IngestNotification[]> {
    const messages: IngestNotification[] = [];
    for (const queue of [...sharedQueues(name), ownQueue(username, name)]) {
      while (messages.length < max) {
        const taken = await this.#queues.take<IngestNotification>(queue, {
          max: Math.min(BATCH, max - messages.length),
        });
        if (taken.length === 0) break;
        for (const one of taken) await one.acknowledge();
        messages.push(...taken.map((one) => one.item));
      }
    }
    return messages;
  }

  /** Removes queues whose oldest notification is older than `maxAge` milliseconds; their names. */
  async removeOld(maxAge: number): Promise<readonly string[]> {
    const removed: string[] = [];
    for (const queue of await this.#queues.list(PREFIX)) {
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
  return `${PREFIX}${Buffer.from(username).toString('hex').toUpperCase()}-${name}`;
}

/** Returns the queue of that name which older versions filled, unless it could be that of another user. */
function sharedQueues(name: string): readonly string[] {
  const dash = name.indexOf('-');
  const start = dash === -1 ? '' : name.slice(0, dash);
  const namesUser = start !== '' && start.length % 2 === 0 && /^[0-9A-F]+$/.test(start);
  return namesUser ? [] : [PREFIX + name];
}
