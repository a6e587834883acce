import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { flatField, TEXT_FIELD } from '../../../documents/schema/field-types.ts';
import { anyOf, type Bound, bestOf, type IndexedValue, type QueryNode } from '../../port/query-tree.ts';
import { unrestricted } from '../../port/read-access.ts';
import { matches } from '../../query-language/matches.ts';
import { openEmbeddedDatastore } from '../embedded-datastore.ts';

const EVERYTHING = unrestricted('a test reads its own documents');
/** At most as many as a fuzzy clause expands to, because `matches` expands without a limit. */
const DOCUMENTS = 50;
const TREES = Number(process.env.RANDOM_TREES ?? 400);

const LIST = { list: true, multiValued: true };
const FIELDS = [
  flatField('name', 'keyword', { copyToText: true }),
  flatField('title', 'case_insensitive_keyword'),
  flatField('tags', 'keyword', { ...LIST, copyToText: true }),
  flatField('note', 'text', LIST),
  flatField('digest', 'ssdeep'),
  flatField('port', 'integer'),
  flatField('size', 'long', LIST),
  flatField('score', 'float', LIST),
  flatField('active', 'boolean'),
  flatField('seen', 'date', LIST),
  flatField('address', 'ip', LIST),
  flatField('labels', 'mapping'),
  flatField('secret', 'keyword', { indexed: false }),
];

const DEFINITION: CollectionDefinition<StoredDocument> = {
  name: 'random',
  idField: undefined,
  fields: [...FIELDS, flatField('id', 'keyword')],
  fieldByPath: new Map([...FIELDS, flatField('id', 'keyword')].map((flat) => [flat.path, flat])),
  defaultSort: [{ field: 'id', order: 'asc' }],
  classificationField: undefined,
};

const word = fc.constantFrom(
  'fox',
  'Fox',
  'dog',
  'ΣΑΣ',
  'éa',
  '日本',
  'a_b',
  '😀',
  'fo',
  '',
  'x%y',
  'back\\slash',
  "it's",
  '$1',
  'İ',
);
const whole = fc.constantFrom(-(2 ** 31), -1, 0, 1, 80, 443, 2 ** 31 - 1);
const long = fc.constantFrom(-(2n ** 63n), -5n, 0n, 5n, 2n ** 53n + 1n, 2n ** 63n - 1n);
const float = fc.constantFrom(-1.5, 0, 0.1, 1, 16777217, 3.4e38).map(Math.fround);
const date = fc.constantFrom(-1, 0, 1_767_225_600_000, 1_767_225_600_001, 253_402_300_799_999);
const address = fc.constantFrom('0'.repeat(32), '00000000000000000000ffff0a000001', '20010db8000000000000000000000001');

/** Paths with the indexed values that queries ask for there. */
const ASKED: Readonly<Record<string, fc.Arbitrary<IndexedValue>>> = {
  name: word,
  title: word.map((text) => text.toLowerCase()),
  tags: word,
  note: word.map((text) => text.toLowerCase()),
  digest: fc.constantFrom('abc', 'ABC', '3'),
  port: whole,
  size: long,
  score: float,
  active: fc.boolean(),
  seen: date,
  address,
  'labels.a': word,
  'labels.b.c': word,
  labels: word,
  secret: word,
  unknown: word,
  id: fc.nat(DOCUMENTS).map((n) => `d${n}`),
  [TEXT_FIELD]: word.map((text) => text.toLowerCase()),
};
const TEXTUAL = [
  'name',
  'title',
  'tags',
  'note',
  'digest',
  'labels.a',
  'labels',
  'id',
  TEXT_FIELD,
  'secret',
  'unknown',
];
const ANALYSED = ['note', 'digest', TEXT_FIELD];

function maybeMany<V>(value: fc.Arbitrary<V>): fc.Arbitrary<V | (V | null)[] | null | undefined> {
  return fc.oneof(fc.constant(undefined), fc.constant(null), value, fc.array(fc.option(value), { maxLength: 3 }));
}
const sentence = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
const stored = fc.record({
  name: fc.option(word, { nil: undefined }),
  // A list where the definition has none: the store must not lose the others.
  title: maybeMany(word),
  tags: maybeMany(word),
  note: maybeMany(sentence),
  digest: fc.option(fc.constantFrom('3:abc:ABC', '3: abc :3', ':'), { nil: undefined }),
  port: fc.option(whole, { nil: undefined }),
  size: maybeMany(long.map(String)),
  score: maybeMany(float),
  active: fc.option(fc.boolean(), { nil: undefined }),
  seen: maybeMany(date.map((time) => new Date(time).toISOString())),
  address: maybeMany(fc.constantFrom('::', '10.0.0.1', '2001:db8::1')),
  labels: fc.option(fc.record({ a: maybeMany(word), b: fc.option(fc.record({ c: word })) }), { nil: undefined }),
  secret: fc.option(word, { nil: undefined }),
});

const anyField = fc.constantFrom(...Object.keys(ASKED));
const textual = fc.constantFrom(...TEXTUAL);
const pattern = fc
  .array(
    fc.oneof(fc.constantFrom('*', '?', '\\*', '\\', '%', '_'), fc.constantFrom('f', 'o', 'x', 'é', '日', '😀', 'a')),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));

const leaf: fc.Arbitrary<QueryNode> = fc.oneof(
  fc.constantFrom<QueryNode>({ kind: 'all' }, { kind: 'none' }),
  anyField.map((path): QueryNode => ({ kind: 'exists', field: path })),
  anyField.chain((path) => asked(path).map((value): QueryNode => ({ kind: 'term', field: path, value }))),
  anyField.chain((path) =>
    fc.array(asked(path), { maxLength: 12 }).map((values): QueryNode => ({ kind: 'terms', field: path, values })),
  ),
  // The same values in several fields, lists or not, which are looked for at once.
  fc
    .tuple(
      fc.subarray(['name', 'title', 'tags', 'labels', 'labels.a', 'note', 'unknown'], { minLength: 2 }),
      fc.uniqueArray(word, { minLength: 4, maxLength: 12 }),
    )
    .map(([paths, values]) => anyOf(...paths.map((field): QueryNode => ({ kind: 'terms', field, values })))),
  anyField.chain((path) =>
    fc.tuple(fc.option(bound(path)), fc.option(bound(path))).map(
      ([lower, upper]): QueryNode => ({
        kind: 'range',
        field: path,
        ...(lower ? { lower } : {}),
        ...(upper ? { upper } : {}),
      }),
    ),
  ),
  fc.tuple(textual, word).map(([path, value]): QueryNode => ({ kind: 'prefix', field: path, value })),
  fc.tuple(textual, pattern).map(([path, text]): QueryNode => ({ kind: 'wildcard', field: path, pattern: text })),
  fc
    .tuple(
      textual,
      fc.constantFrom(
        'fo.*',
        '(fox|dog)',
        '~(fox)',
        '.*&~(f.*)',
        '[a-f]o?x',
        '😀|日.',
        'd<1-20>',
        '',
        '.',
        '(.{1,3})+',
      ),
    )
    .map(([path, text]): QueryNode => ({ kind: 'regexp', field: path, pattern: text })),
  fc.tuple(textual, word, fc.constantFrom(0, 1, 2)).map(
    ([path, value, maxEdits]): QueryNode => ({
      kind: 'fuzzy',
      field: path,
      value: value.toLowerCase(),
      maxEdits: maxEdits as 0 | 1 | 2,
    }),
  ),
  fc
    .tuple(fc.constantFrom(...ANALYSED), fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom(0, 1, 5, 101))
    .map(
      ([path, words, slop]): QueryNode => ({
        kind: 'phrase',
        field: path,
        slop,
        terms: words.map((text) => text.toLowerCase()),
      }),
    ),
  fc
    .tuple(fc.constantFrom(...ANALYSED), fc.array(word.filter(Boolean), { minLength: 1, maxLength: 2 }))
    .map(([path, words]): QueryNode => {
      const terms = words.map((text) => text.toLowerCase());
      return { kind: 'phrase', field: path, slop: 0, terms, lastIsPrefix: true };
    }),
  fc
    .array(fc.nat(DOCUMENTS), { maxLength: 40 })
    .map((ids): QueryNode => ({ kind: 'ids', ids: ids.map((n) => `d${n}`) })),
);

const { tree } = fc.letrec<{ tree: QueryNode }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.record({
      kind: fc.constant('boolean' as const),
      must: fc.array(tie('tree'), { maxLength: 2 }),
      should: fc.array(tie('tree'), { maxLength: 3 }),
      mustNot: fc.array(tie('tree'), { maxLength: 2 }),
      scoring: fc.constantFrom('sum' as const, 'constant' as const),
      boost: fc.constantFrom(1, 0.5),
    }),
    fc.array(tie('tree'), { maxLength: 3 }).map((nodes) => bestOf(...nodes)),
  ),
}));

describe('the embedded datastore and the plain meaning of a query', () => {
  it(`find the same documents for ${TREES} random trees`, async () => {
    const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'random' });
    try {
      const collection = datastore.collection(DEFINITION);
      const documents = fc
        .sample(stored, { numRuns: DOCUMENTS })
        .map((document, at) => ({ id: `d${at}`, ...document }));
      // Some are there from the beginning, some change, so that columns become lists and rows are replaced.
      for (const half of [documents.slice(0, DOCUMENTS / 2), documents.slice(DOCUMENTS / 4)]) {
        await collection.bulk(half.map((document) => ({ kind: 'save', id: document.id, document })));
        await collection.count({ query: { kind: 'all' } }, EVERYTHING);
      }
      const kept = documents.map((document) => JSON.parse(JSON.stringify(document)) as StoredDocument & { id: string });
      await fc.assert(
        fc.asyncProperty(tree, async (query) => {
          const wanted = kept.filter((document) => matches(query, DEFINITION, document)).map(({ id }) => id);
          const { items } = await collection.search({ query, rows: DOCUMENTS }, EVERYTHING);
          assert.deepEqual(items.map(({ id }) => id).sort(), wanted.sort());
          const ranked = await collection.search({ query, rows: DOCUMENTS, byRelevance: true }, EVERYTHING);
          assert.deepEqual(ranked.items.map(({ id }) => id).sort(), wanted);
          assert.ok(ranked.scores?.every((score) => score >= 0));
        }),
        { numRuns: TREES },
      );
    } finally {
      await datastore.close();
    }
  });
});

function asked(path: string): fc.Arbitrary<IndexedValue> {
  return ASKED[path] ?? word;
}

function bound(path: string): fc.Arbitrary<Bound> {
  return fc.record({ value: asked(path), inclusive: fc.boolean() });
}
