import { LRUCache } from 'lru-cache';
import { PreparedJson } from '../json/sorted-json.ts';

/** Characters of answers that are kept. */
const MAX_CHARACTERS = 8_000_000;

/**
 * What is answered for documents, as text, kept by version: people look at the same ones again and again, and to shape and write one costs more
 * than to find it. Only for what everybody sees the same of; who may see a document is decided before it gets here. The least
 * recently used go first.
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
