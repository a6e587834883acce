import type { SearchItem } from '../../datastore/port/search.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import { VersionedAnswers } from '../versioned-answers.ts';
import { itemOfV1, itemOfV2 } from './item-shape.ts';

const SHAPES = { 1: itemOfV1, 2: itemOfV2 } as const;

/** Whole items of search answers, in the shape of each version of the interface; kept where the version of the document is known. */
export class ItemAnswers {
  readonly #answers = new VersionedAnswers();

  of(version: 1 | 2, definition: DocumentDefinition<unknown>, item: SearchItem<unknown>): PreparedJson {
    const shape = () => SHAPES[version](definition, item);
    if (item.version === undefined) return new PreparedJson(shape());
    return this.#answers.of(`${version} ${definition.name} ${item.version} ${item.id}`, shape);
  }
}
