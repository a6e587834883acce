import { BoundedCache } from '../../caching/bounded-cache.ts';
import type { Versioned } from '../../datastore/collection.ts';
import { type Hit, hitDocument } from '../../documents/hit.ts';
import { toOutput } from '../../documents/output.ts';
import { PreparedJson } from '../../http/sorted-json.ts';

/** Characters of answers that are kept. */
const MOST_CHARACTERS = 8_000_000;

/**
 * What is answered for a hit, kept by identifier and version: people look at the same alerts again and again, and to write one as JSON
 * costs more than to read it. Who may see the hit is decided before it gets here. The least recently used go first.
 */
export class HitAnswers {
  readonly #answers = new BoundedCache<string, PreparedJson>(MOST_CHARACTERS, ({ text }) => text.length);

  of(id: string, { document, version }: Versioned<Hit>): PreparedJson {
    const key = `${version} ${id}`;
    const known = this.#answers.use(key);
    if (known !== undefined) return known;
    const answer = new PreparedJson(toOutput(hitDocument, document));
    this.#answers.set(key, answer);
    return answer;
  }
}
