import { LRUCache } from 'lru-cache';
import { PreparedJson } from '../json/sorted-json.ts';

/** Characters of answers that are kept. */
const MAX_CHARACTERS = 8_000_000;

/**
 * Caches answers for documents as text, by version, and evicts the least recently used.
 * Users look at the same documents again and again, and formatting one costs more than finding it. Only for answers that
 * are the same for all callers; access is decided before.
 */
export class VersionedAnswers {
  readonly #answers = new LRUCache<string, PreparedJson>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ text }) => text.length,
  });

  /** @param key names the document, its version, and the shape of the answer where there are several */
  of(key: string, shape: () => unknown): PreparedJson {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = new PreparedJson(shape());
    this.#answers.set(key, answer);
    return answer;
  }
}
