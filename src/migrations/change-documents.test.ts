import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openEmbeddedDatastore } from '../datastore/embedded/embedded-datastore.ts';
import type { BulkItem, BulkItemResult, Collection, Visible } from '../datastore/port/collection.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { MATCH_ALL } from '../datastore/port/query-tree.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import { type View, viewDocument } from '../documents/kinds/view.ts';
import { Unavailable } from '../errors/errors.ts';
import { changeDocuments } from './change-documents.ts';

const EVERYTHING = unrestricted('the test looks at what it stored');
const CONTEXT = {
  progress: () => {},
  warn: (message: string) => assert.fail(message),
  signal: new AbortController().signal,
};

describe('changeDocuments', () => {
  let datastore: Datastore;
  before(async () => {
    datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'test' });
  });
  after(() => datastore.close());

  const views = () => datastore.collection(viewDocument);
  const save = (id: string, title: string) =>
    views().save(id, { view_id: id, title } as unknown as View, { visible: 'now' });
  const title = async (id: string) => (await views().get(id, EVERYTHING))?.title;

  /** Titles in capitals. `interfere` runs before each bulk write. */
  const capitalise = (interfere: (attempt: number) => Promise<unknown>, refuse?: BulkItemResult) => {
    let attempt = 0;
    const target = views();
    const collection: Collection<View> = new Proxy(target, {
      get(_, name) {
        const method = Reflect.get(target, name);
        if (name !== 'bulk') return typeof method === 'function' ? method.bind(target) : method;
        return async (items: readonly BulkItem<View>[], options?: { visible?: Visible }) => {
          attempt += 1;
          await interfere(attempt);
          return refuse === undefined ? target.bulk(items, options) : [refuse];
        };
      },
    });
    const change = ({ title }: View) =>
      title === title.toUpperCase() ? undefined : [{ op: 'set' as const, path: 'title', value: title.toUpperCase() }];
    return changeDocuments({ collection, selection: { query: MATCH_ALL }, change }, CONTEXT);
  };

  it('decides anew about what others write meanwhile', async () => {
    for (const id of ['kept', 'renamed', 'fixed', 'gone']) await save(id, id);
    const changed = await capitalise(async (attempt) => {
      if (attempt > 1) return;
      await save('renamed', 'other');
      await save('fixed', 'FIXED BY OTHERS');
      await views().delete('gone', { visible: 'now' });
    });
    assert.equal(changed, 2);
    assert.equal(await title('kept'), 'KEPT');
    assert.equal(await title('renamed'), 'OTHER');
    assert.equal(await title('fixed'), 'FIXED BY OTHERS');
    assert.equal(await title('gone'), undefined);
  });

  it('waits until the engine can search again, and no longer than it is allowed to run', async () => {
    let attempts = 0;
    const collection = new Proxy(views(), {
      get(target, name) {
        const method = Reflect.get(target, name);
        if (name !== 'count') return typeof method === 'function' ? method.bind(target) : method;
        return async () => {
          attempts += 1;
          if (attempts < 3) throw new Unavailable('columns_rebuilding', '20 % done.');
          return 0;
        };
      },
    });
    const warnings: string[] = [];
    const run = (signal: AbortSignal) =>
      changeDocuments(
        { collection, selection: { query: MATCH_ALL }, change: () => undefined },
        { progress: () => {}, warn: (message) => warnings.push(message), signal },
      );
    assert.equal(await run(new AbortController().signal), 0);
    assert.deepEqual(warnings, ['Waiting until documents can be searched: 20 % done.']);
    attempts = Number.NEGATIVE_INFINITY;
    await assert.rejects(run(AbortSignal.timeout(50)), { name: 'TimeoutError' });
  });

  it('gives up on a document that others write all the time', async () => {
    await save('busy', 'busy');
    const busy = capitalise((attempt) => save('busy', `title ${attempt}`));
    await assert.rejects(busy, { code: 'migration_document_busy', message: /view.*busy/ });
  });

  it('says which document could not be changed and why', async () => {
    await save('refused', 'refused');
    const refusal: BulkItemResult = { ok: false, id: 'refused', code: 'write_blocked', message: 'Writes are blocked.' };
    const refused = capitalise(async () => {}, refusal);
    await assert.rejects(refused, { code: 'migration_write_failed', message: /refused of view.*write_blocked/ });
  });
});
