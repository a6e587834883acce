import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { type Case, caseDocument } from '../../documents/kinds/case.ts';
import { viewDocument } from '../../documents/kinds/view.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { anActor, testClassification } from '../../testing/alerts/alert-services.ts';
import { classifiedCollection, mayClassify } from './classified-collection.ts';
import { readAccessFor } from './read-access.ts';

const EVERYTHING = unrestricted('the test looks at what is stored');
const LOW = readAccessFor(testClassification, 'UNRESTRICTED', undefined);

let datastore: Datastore;
let cases: Collection<Case>;
before(async () => {
  datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'test' });
  cases = classifiedCollection(datastore.collection(caseDocument), caseDocument, testClassification);
});
after(() => datastore.close());

const aCase = (classification: string) =>
  readDocument(
    caseDocument,
    { title: 't', summary: 's', classification },
    { unknown: 'refuse', classification: testClassification },
  ).document;
const found = () => cases.count({ query: { kind: 'all' } }, LOW);

describe('a classified collection', () => {
  it('writes the hidden fields with every document, so that searches keep it from whom it is not for', async () => {
    const restricted = aCase('RESTRICTED//ADMIN//ANY');
    await cases.save(restricted.case_id, restricted, { visible: 'now' });
    const stored = (await cases.get(restricted.case_id, EVERYTHING)) as Record<string, unknown> | undefined;
    assert.deepEqual(
      [stored?.__access_lvl__, stored?.__access_req__, stored?.__access_grp1__, stored?.__access_grp2__],
      [200, ['ADM'], ['D1'], ['__EMPTY__']],
    );
    assert.equal(await found(), 0);

    const open = { ...restricted, classification: 'UNRESTRICTED' };
    await cases.bulk([{ kind: 'save', id: open.case_id, document: open }], { visible: 'now' });
    assert.equal(await found(), 1);
  });

  it('lets no one change them, or the classification, apart from the document', async () => {
    const { case_id: id } = aCase('UNRESTRICTED');
    for (const path of ['classification', '__access_lvl__', '__access_req__', '__access_grp1__', '__access_grp2__']) {
      const operations = [{ op: 'set', path, value: 0 }] as const;
      const where = { access: EVERYTHING };
      for (const write of [
        () => cases.update(id, operations),
        () => cases.bulk([{ kind: 'update', id, operations }]),
        () => cases.updateWhere({ query: { kind: 'all' } }, operations, where),
      ]) {
        await assert.rejects(async () => write(), { message: `${path} changes only with the whole document.` });
      }
    }
  });

  it('is for kinds that carry a classification', () => {
    assert.throws(() => classifiedCollection(datastore.collection(viewDocument), viewDocument, testClassification));
  });
});

describe('who may give a classification', () => {
  it('is everyone up to their own, and administrators', () => {
    const may = (changes: Parameters<typeof anActor>[0], classification: string) =>
      mayClassify(anActor(changes), testClassification, classification);
    assert.equal(may({ classification: 'UNRESTRICTED' }, 'UNRESTRICTED'), true);
    assert.equal(may({ classification: 'UNRESTRICTED' }, 'RESTRICTED'), false);
    assert.equal(may({ classification: 'RESTRICTED' }, 'RESTRICTED//ADMIN'), false);
    assert.equal(may({ classification: 'UNRESTRICTED', roles: new Set(['admin']) }, 'RESTRICTED//ADMIN'), true);
    assert.equal(may({}, 'NO SUCH LEVEL'), false);
  });
});
