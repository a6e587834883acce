import { BoundedCache } from '../../caching/bounded-cache.ts';
import type { SearchItem } from '../../datastore/search.ts';
import type { DocumentDefinition } from '../../documents/document-definition.ts';
import { PreparedJson } from '../../http/sorted-json.ts';
import { itemOfV1, itemOfV2 } from './item-shape.ts';

/** Characters of items that are kept. */
const MOST_CHARACTERS = 8_000_000;

const SHAPES = { 1: itemOfV1, 2: itemOfV2 } as const;

/**
 * Whole items of search answers as text, kept by version: lists are asked for again and again, with the same documents in them, and to
 * read, shape and write 25 takes longer than to find them. Only for kinds of which everybody sees the same; who may see a
 * document is decided before it gets here. The least recently used go first.
 */
export class ItemAnswers {
  readonly #answers = new BoundedCache<string, PreparedJson>(MOST_CHARACTERS, ({ text }) => text.length);

  of(version: 1 | 2, definition: DocumentDefinition<unknown>, item: SearchItem<unknown>): PreparedJson {
    const write = () => new PreparedJson(SHAPES[version](definition, item));
    if (item.version === undefined) return write();
    const key = `${version} ${definition.name} ${item.version} ${item.id}`;
    const known = this.#answers.use(key);
    if (known !== undefined) return known;
    const answer = write();
    this.#answers.set(key, answer);
    return answer;
  }
}
