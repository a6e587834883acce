import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import type { CollectionDefinition, StoredDocument } from '../../documents/schema/collection-definition.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { flatten } from '../../documents/schema/flatten.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { mergeDocument, readDocument } from '../../documents/schema/read-document.ts';
import { exactInteger } from '../../json/lossless-json.ts';
import { sortedJson } from '../../json/sorted-json.ts';
import type { SortClause } from '../port/search.ts';
import { finished, indexBehind, scanned } from './indices/filled-index.ts';
import { type DatastoreSubject, openForArea } from './subject.ts';
import { ALL, EVERYTHING, fill, found, idsOf, where } from './things.ts';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
/** In ascending order. Neighbours differ by less than a number can tell apart. */
const SIZES = [
  MIN,
  MIN + 1n,
  -9007199254740993n,
  -9007199254740992n,
  -9007199254740991,
  0,
  9007199254740991,
  9007199254740992n,
  9007199254740993n,
  MAX - 1n,
  MAX,
] as const;
const THINGS = SIZES.map((size, index) => ({ thing_id: `t${String(index).padStart(2, '0')}`, size }));
const now = { visible: 'now' } as const;

/** Integers of 64 bits stay exact: a number up to ±(2^53 - 1), a bigint beyond. */
export function integersArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('gives back every integer of 64 bits as it was saved', async () => {
    const things = opened.things();
    await fill(things, THINGS);
    const ids = THINGS.map(({ thing_id }) => thing_id);
    assert.deepEqual(await things.getMany(ids, EVERYTHING), THINGS);
    assert.deepEqual((await things.getVersioned('t10', EVERYTHING))?.document, THINGS[10]);
    const sort: SortClause[] = [{ field: 'size', order: 'asc' }];
    const { items } = await things.search({ ...ALL, sort, rows: 20 }, EVERYTHING);
    assert.deepEqual(
      items.map(({ document }) => document),
      THINGS,
    );
    const picked = await things.search({ ...ALL, sort, rows: 20, fields: ['size'] }, EVERYTHING);
    assert.deepEqual(
      picked.items.map(({ document }) => document.size),
      SIZES,
    );
    const streamed: unknown[] = [];
    for await (const { document } of things.stream(ALL, EVERYTHING)) streamed.push(document);
    assert.deepEqual(streamed, THINGS);
  });

  it('finds, sorts and pages by integers that differ by one', async () => {
    const things = opened.things();
    await fill(things, THINGS.toReversed());
    for (const { thing_id, size } of THINGS) {
      assert.deepEqual(await found(things, `size:"${size}"`), [thing_id]);
      assert.deepEqual(await found(things, `size:["${size}" TO "${size}"]`), [thing_id]);
    }
    assert.deepEqual(await found(things, 'size:[9007199254740992 TO 9223372036854775806]'), ['t07', 't08', 't09']);
    assert.deepEqual(await found(things, 'size:{9007199254740992 TO 9223372036854775807}'), ['t08', 't09']);
    for (const order of ['asc', 'desc'] as const) {
      const ids = THINGS.map(({ thing_id }) => thing_id);
      const expected = order === 'asc' ? ids : ids.toReversed();
      const sort: SortClause[] = [{ field: 'size', order }];
      assert.deepEqual(await idsOf(things, { ...ALL, sort }), expected);
      const paged: string[] = [];
      let cursor: string | undefined = '*';
      while (cursor !== undefined) {
        const page = await things.search({ ...ALL, sort, rows: 3, cursor }, EVERYTHING);
        paged.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      assert.deepEqual(paged, expected);
    }
  });

  it('counts, groups and measures integers that differ by one', async () => {
    const things = opened.things();
    await fill(things, THINGS);
    const { buckets } = await things.facet(
      { ...ALL, field: 'size', rows: 20, order: { by: 'key', direction: 'asc' } },
      EVERYTHING,
    );
    assert.deepEqual(
      buckets.map(({ key, label, count }) => [key, label, count]),
      SIZES.map((size) => [size, String(size), 1]),
    );
    const { groups } = await things.group(
      { ...ALL, field: 'size', rows: 20, sort: [{ field: 'size', order: 'asc' }] },
      EVERYTHING,
    );
    assert.deepEqual(
      groups.map(({ value }) => value),
      SIZES,
    );
    const { min, max } = await things.stats({ ...ALL, field: 'size' }, EVERYTHING);
    assert.deepEqual([min, max], [MIN, MAX]);
    const inside = { ...where(things, 'size:[9007199254740991 TO 9007199254740993]'), field: 'size' };
    const stats = await things.stats(inside, EVERYTHING);
    assert.deepEqual([stats.count, stats.min, stats.max], [3, 9007199254740991, 9007199254740993n]);
  });

  it('changes integers exactly and leaves the others alone', async () => {
    const things = opened.things();
    const before = { thing_id: 'a', size: 9007199254740993n, port: 1, name: 'a' };
    const size = async () => (await things.get('a', EVERYTHING))?.size;
    await things.save('a', before, now);
    const renamed = await things.update('a', [{ op: 'set', path: 'name', value: 'b' }], now);
    assert.deepEqual(renamed.document, { ...before, name: 'b' });
    await things.updateWhere(where(things, 'size:9007199254740993'), [{ op: 'increment', path: 'port', by: 1 }], {
      ...now,
      access: EVERYTHING,
    });
    assert.deepEqual(await things.get('a', EVERYTHING), { ...before, name: 'b', port: 2 });
    for (const [operation, expected] of [
      [{ op: 'increment', by: 1 }, 9007199254740994n],
      [{ op: 'increment', by: -3 }, 9007199254740991],
      [{ op: 'increment', by: 2 }, 9007199254740993n],
      [{ op: 'max', value: 9007199254740992n }, 9007199254740993n],
      [{ op: 'max', value: MAX }, MAX],
      [{ op: 'increment', by: -MAX }, 0],
      [{ op: 'min', value: MIN }, MIN],
      [{ op: 'max', value: 5 }, 5],
      [{ op: 'set', value: MAX - 1n }, MAX - 1n],
    ] as const) {
      await things.update('a', [{ path: 'size', ...operation }], now);
      assert.equal(await size(), expected, JSON.stringify(operation));
    }
    await things.bulk([{ kind: 'update', id: 'a', operations: [{ op: 'increment', path: 'size', by: 1 }] }], now);
    assert.equal(await size(), MAX);
    assert.deepEqual(await found(things, 'size:9223372036854775807'), ['a']);
  });

  it('copies integers exactly, as they are and through a transformation', async () => {
    const things = opened.things();
    await fill(things, THINGS);
    const { admin } = opened.store;
    const source = await indexBehind(admin, `${admin.prefix}-${things.definition.name}`);
    for (const transform of [undefined, (document: Record<string, unknown>) => ({ ...document, name: 'copied' })]) {
      const target = `${source.name}-${transform === undefined ? 'plain' : 'changed'}`;
      await admin.create(target, things.definition as CollectionDefinition<unknown>);
      await finished(admin, await admin.copy(source.name, target, transform === undefined ? {} : { transform }));
      assert.deepEqual(
        (await scanned(admin, target)).map(({ document }) => document.size),
        SIZES,
      );
    }
  });

  it('keeps random alerts unchanged when they are stored, answered and overwritten', async () => {
    const hits = opened.collection(hitDocument as unknown as CollectionDefinition<StoredDocument>);
    await fc.assert(
      fc.asyncProperty(alertInput, longValues, async (input, sent) => {
        const { document } = readDocument(hitDocument, input, reading);
        const { id } = document.howler;
        await hits.save(id, document as unknown as StoredDocument, now);
        const stored = (await hits.get(id, EVERYTHING)) as unknown as Hit;
        assert.equal(sortedJson(toOutput(hitDocument, stored)), sortedJson(toOutput(hitDocument, document)));
        const merged = mergeDocument(hitDocument, stored, sent, { ...reading, replaceLists: true });
        await hits.save(id, merged as unknown as StoredDocument, now);
        const overwritten = (await hits.get(id, EVERYTHING)) as unknown as Hit;
        const expected = readDocument(hitDocument, { ...flat(document), ...sent }, reading).document;
        assert.equal(sortedJson(flat(overwritten)), sortedJson(flat(expected)));
        const clauses = LONG_PATHS.map((path) => [path, flat(expected)[path]])
          .filter(([, value]) => value !== undefined)
          .map(([path, value]) => `${path}:"${value}"`);
        assert.deepEqual(await found(hits, [`howler.id:"${id}"`, ...clauses].join(' AND ')), [id]);
      }),
      { numRuns: 25 },
    );
  });
}

const reading = {
  unknown: 'refuse',
  classification: { unrestricted: 'U', normalise: (text: string) => text },
} as const;
const LONG_PATHS = hitDocument.fields
  .filter(({ type, multiValued }) => type === 'long' && !multiValued)
  .map(({ path }) => path);

const int64 = fc.oneof(
  fc.constantFrom(...SIZES),
  fc.maxSafeInteger(),
  fc.bigInt({ min: MIN, max: MAX }).map(exactInteger),
);
/** Values of some of the fields of 64 bits. */
const longValues = fc.record(Object.fromEntries(LONG_PATHS.map((path) => [path, int64])), { requiredKeys: [] });
const alertInput = fc
  .record({
    longs: longValues,
    others: fc.record(
      {
        'event.severity': fc.integer(),
        'howler.score': fc.float({ noNaN: true, noDefaultInfinity: true }),
        'threat.enrichments': fc.array(
          int64.map((size) => ({ indicator: { file: { size } } })),
          { maxLength: 3 },
        ),
        labels: fc.constant({ generic: ['a'] }),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ longs, others }) => ({ 'howler.analytic': 'a', 'howler.hash': 'a', message: 'm', ...others, ...longs }));

function flat(document: Hit): Record<string, unknown> {
  return flatten(document as unknown as Record<string, unknown>, hitDocument as DocumentDefinition<unknown>);
}
