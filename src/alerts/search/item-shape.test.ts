import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SearchItem } from '../../datastore/port/search.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { userDocument } from '../../documents/kinds/user.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { sortedJson } from '../../json/sorted-json.ts';
import { ItemAnswers, itemOfV1, itemOfV2 } from './item-shape.ts';

/** A found alert that counts how often it is read. */
function found(id: string, version: string | undefined, message: string) {
  let reads = 0;
  const item: SearchItem<unknown> = {
    id,
    collection: 'hit',
    version,
    get document() {
      reads += 1;
      return { message, howler: { id, analytic: 'Probe', data: ['raw'] } };
    },
  };
  return { item, reads: () => reads };
}

describe('ItemAnswers', () => {
  it('gives the text of the version that was found, in the shape of each version of the interface', () => {
    const answers = new ItemAnswers();
    const before = found('a', '1---1', 'before').item;
    const after = found('a', '2---1', 'after').item;
    for (const item of [before, after, before, after]) {
      assert.equal(answers.of(1, hitDocument, item).text, sortedJson(itemOfV1(hitDocument, item)));
      assert.equal(answers.of(2, hitDocument, item).text, sortedJson(itemOfV2(hitDocument, item)));
    }
  });

  it('does not read a document again while its version is the same', () => {
    const answers = new ItemAnswers();
    const { item, reads } = found('a', '1---1', 'once');
    const first = answers.of(1, hitDocument, item);
    const again = found('a', '1---1', 'once');
    assert.equal(answers.of(1, hitDocument, again.item), first);
    assert.deepEqual([reads(), again.reads()], [1, 0]);
  });

  it('keeps nothing of documents whose version is not known', () => {
    const answers = new ItemAnswers();
    assert.match(answers.of(1, hitDocument, found('a', undefined, 'before').item).text, /before/);
    assert.match(answers.of(1, hitDocument, found('a', undefined, 'after').item).text, /after/);
  });

  it('tells documents and kinds of one version apart', () => {
    const answers = new ItemAnswers();
    const shown = (definition: DocumentDefinition<unknown>, id: string) =>
      answers.of(1, definition, found(id, '1---1', `of ${id}`).item).text;
    assert.match(shown(hitDocument, 'a'), /of a/);
    assert.match(shown(hitDocument, 'b'), /of b/);
    assert.equal(shown(userDocument, 'a'), '{"id":["a"],"username":"a"}');
  });
});
