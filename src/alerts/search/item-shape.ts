import { LRUCache } from 'lru-cache';
import type { SearchItem } from '../../datastore/port/search.ts';
import type { StoredDocument } from '../../documents/schema/collection-definition.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { storedFieldsOnly } from '../../documents/schema/output.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import { selectExactly, selectSource, withoutSecrets } from '../../search/field-selection.ts';

/** A found document of any kind. */
export interface FoundItem {
  readonly id: string;
  readonly document: unknown;
}

/**
 * Returns an item of version 1 of the interface: stored fields, and the identifier as a list of one.
 * With `fields` exactly those that are named. Users also get `username`, by which the web UI finds them.
 */
export function itemOfV1<T>(
  definition: DocumentDefinition<T>,
  item: FoundItem,
  fields?: readonly string[],
): Record<string, unknown> {
  const { idAlias } = definition;
  const document = withoutSecrets(definition, item.document);
  const shown: Record<string, unknown> =
    fields === undefined
      ? { ...storedFieldsOnly(definition, document as T) }
      : selectExactly(definition, document, fields);
  const isAsked = (...names: string[]) => fields === undefined || names.some((name) => fields.includes(name));
  if (isAsked('id', '*')) shown.id = [item.id];
  if (idAlias !== undefined && isAsked(idAlias)) shown[idAlias] = item.id;
  return shown;
}

/** Returns an item of version 2: the stored document with `__index`. `fields` keep whole subtrees. */
export function itemOfV2<T>(
  definition: DocumentDefinition<T>,
  item: FoundItem,
  fields?: readonly string[],
): Record<string, unknown> {
  const whole: StoredDocument = { ...withoutSecrets(definition, item.document), id: item.id };
  const shown = fields === undefined ? whole : selectSource(whole, fields);
  return { ...shown, __index: definition.name };
}

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

const SHAPES = { 1: itemOfV1, 2: itemOfV2 } as const;

/** Caches whole items of search answers where the version of the document is known. */
export class ItemAnswers {
  readonly #answers = new VersionedAnswers();

  of(version: 1 | 2, definition: DocumentDefinition<unknown>, item: SearchItem<unknown>): PreparedJson {
    const shape = () => SHAPES[version](definition, item);
    if (item.version === undefined) return new PreparedJson(shape());
    return this.#answers.of(`${version} ${definition.name} ${item.version} ${item.id}`, shape);
  }
}
