import { isTriadError } from '../../../errors/errors.ts';
import type { SearchEngine } from '../transport/search-engine.ts';

interface Round {
  readonly indices: Set<string>;
  readonly done: Promise<void>;
}

/** Makes writes visible to searches; callers during a refresh share the next one (decision 0010). */
export class IndexRefresher {
  readonly #engine: SearchEngine;
  #running: Promise<void> = Promise.resolve();
  #next: Round | undefined;

  constructor(engine: SearchEngine) {
    this.#engine = engine;
  }

  /** Resolves when searches of these indices see everything that was answered before the call. */
  refresh(indices: Iterable<string>): Promise<void> {
    const round = this.#next ?? this.#schedule();
    for (const index of indices) round.indices.add(index);
    return round.done;
  }

  #schedule(): Round {
    const indices = new Set<string>();
    const done = this.#running.then(() => {
      this.#next = undefined;
      return this.#refreshNow([...indices]);
    });
    const round = { indices, done };
    this.#next = round;
    this.#running = done.catch(() => undefined);
    return round;
  }

  async #refreshNow(indices: readonly string[]): Promise<void> {
    if (indices.length === 0) return;
    try {
      await this.#engine.request({
        method: 'POST',
        path: `/${indices.map(encodeURIComponent).join(',')}/_refresh`,
        query: { ignore_unavailable: true },
        repeatable: true,
      });
    } catch (error) {
      // What was written is written; a server that does not answer refreshes by itself before it answers searches again.
      if (!isTriadError(error) || error.kind !== 'unavailable') throw error;
    }
  }
}
