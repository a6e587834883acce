import type { Queues } from '../../coordination/coordination.ts';
import { queueAge } from '../overview/queue-age.ts';
import { INCOMING_QUEUE } from './ingest-service.ts';
import { levelQueue } from './ingester.ts';
import { LEVELS } from './sampling.ts';

/** `incoming` has what nothing was decided about yet. */
const QUEUES = new Map([['incoming', INCOMING_QUEUE], ...LEVELS.map((level) => [level, levelQueue(level)] as const)]);

/** Measures the queues of files that came in bulk, for operators. */
export class IngestQueues {
  readonly #queues: Pick<Queues, 'length' | 'oldest'>;
  readonly #now: () => number;

  constructor(queues: Pick<Queues, 'length' | 'oldest'>, now: () => number) {
    this.#queues = queues;
    this.#now = now;
  }

  /** Returns the number of waiting files by queue. */
  lengths(): Promise<ReadonlyMap<string, number>> {
    return this.#ofEach((queue) => this.#queues.length(queue));
  }

  /** Returns the seconds that the oldest file waits, by queue. */
  ages(): Promise<ReadonlyMap<string, number>> {
    return this.#ofEach((queue) => queueAge(this.#queues, queue, this.#now()));
  }

  async #ofEach(measure: (queue: string) => Promise<number>): Promise<ReadonlyMap<string, number>> {
    return new Map(await Promise.all([...QUEUES].map(async ([name, queue]) => [name, await measure(queue)] as const)));
  }
}
