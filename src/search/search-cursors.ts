import { createHash } from 'node:crypto';
import type { Coordination } from '../coordination/coordination.ts';
import { InvalidInput, TooManyRequests } from '../errors/errors.ts';
import type { Actor } from '../identity/actor.ts';

/** Open cursors of one user, over all processes. Each holds a state of the datastore. */
export const MAX_CURSORS_OF_USER = 20;
/** Milliseconds for which the datastore keeps a cursor after its last use. */
const LIFETIME = 5 * 60_000;

/** The stored state of a cursor. */
interface StoredCursor {
  /** The user and the kinds of documents. */
  readonly owner: string;
  /** The cursor's slot in the share of its user. */
  readonly slot: string;
}

/** Binds cursors to their caller and kinds, and limits those of a user, for all processes together. */
export class SearchCursors {
  readonly #coordination: Pick<Coordination, 'tokens' | 'counters'>;

  constructor(coordination: Pick<Coordination, 'tokens' | 'counters'>) {
    this.#coordination = coordination;
  }

  /**
   * Runs a search that may open a cursor (`*`) or continue one of the caller.
   * @throws InvalidInput `invalid_cursor`, when it is not one of the actor over these collections; TooManyRequests
   *   `too_many_cursors`; errors of `search`
   */
  async during<R extends { readonly nextCursor?: string }>(
    actor: Actor,
    collections: readonly string[],
    cursor: string | undefined,
    search: () => Promise<R>,
  ): Promise<R> {
    if (cursor === undefined) return search();
    const owner = JSON.stringify([actor.username, ...collections]);
    const share = `search-cursors:${actor.username}`;
    const slot = cursor === '*' ? await this.#open(share) : await this.#continue(share, owner, cursor);
    let result: R | undefined;
    try {
      result = await search();
      if (result.nextCursor !== undefined) {
        const stored: StoredCursor = { owner, slot };
        await this.#coordination.tokens.put(keyOf(result.nextCursor), stored, LIFETIME);
      }
      return result;
    } finally {
      const isOver = result === undefined ? cursor === '*' : result.nextCursor === undefined;
      if (isOver) await this.#coordination.counters.leave(share, slot);
    }
  }

  async #open(share: string): Promise<string> {
    const slot = await this.#coordination.counters.enter(share, MAX_CURSORS_OF_USER, LIFETIME);
    if (slot !== undefined) return slot;
    const message = `You have ${MAX_CURSORS_OF_USER} deep pagings open, which is the limit. Read one to its end, or wait 5 minutes.`;
    throw new TooManyRequests('too_many_cursors', message, { retryAfter: LIFETIME / 1000 });
  }

  async #continue(share: string, owner: string, cursor: string): Promise<string> {
    const stored = (await this.#coordination.tokens.get(keyOf(cursor))) as StoredCursor | undefined;
    if (stored?.owner !== owner) {
      const message = `There is no search to continue under ${cursor.slice(0, 100)}. Start a new search with *.`;
      throw new InvalidInput('invalid_cursor', message, { at: 'deep_paging_id' });
    }
    // Slots do not survive a restart of the coordination; a cursor that does is not refused for it.
    await this.#coordination.counters.enter(share, MAX_CURSORS_OF_USER, LIFETIME, stored.slot);
    return stored.slot;
  }
}

function keyOf(cursor: string): string {
  return `search-cursor:${createHash('sha256').update(cursor).digest('base64url')}`;
}
