import { createHash } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';

export interface SearchCursorsParts {
  tokens: Pick<Coordination['tokens'], 'put' | 'get'>;
}

/** As long as the datastore keeps a cursor after its last use. Milliseconds. */
const LIFETIME = 5 * 60_000;

/**
 * Whose cursor is whose: what a cursor shows was found for one caller, and only they go on with it, over the same kinds of
 * documents. Shared by the processes of an installation.
 */
export class SearchCursors {
  readonly #tokens: SearchCursorsParts['tokens'];

  constructor(parts: SearchCursorsParts) {
    this.#tokens = parts.tokens;
  }

  /** `cursor` as the caller sent it; undefined and `*` are nobody's yet. @throws InvalidInput `invalid_cursor` */
  async check(actor: Actor, collections: readonly string[], cursor: string | undefined): Promise<void> {
    if (cursor === undefined || cursor === '*') return;
    if ((await this.#tokens.get(keyOf(cursor))) === ownerOf(actor, collections)) return;
    throw new InvalidInput(
      'invalid_cursor',
      `No search to go on with under ${cursor.slice(0, 100)}: start again with *.`,
      {
        at: 'deep_paging_id',
      },
    );
  }

  async remember(actor: Actor, collections: readonly string[], cursor: string | undefined): Promise<void> {
    if (cursor !== undefined) await this.#tokens.put(keyOf(cursor), ownerOf(actor, collections), LIFETIME);
  }
}

function keyOf(cursor: string): string {
  return `search-cursor:${createHash('sha256').update(cursor).digest('base64url')}`;
}

function ownerOf({ username }: Actor, collections: readonly string[]): string {
  return JSON.stringify([username, ...collections]);
}
