import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { Collection } from '../../port/collection.ts';
import type { IndexedValue, QueryNode } from '../../port/query-tree.ts';
import { indexedValues } from '../../query-language/indexed-values.ts';
import { matches } from '../../query-language/matches.ts';
import { lowercase } from '../../regular-language/code-points.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, idOf, idsOf } from '../things.ts';

const DOCUMENTS = 40;
const QUERIES = 120;

/** Random documents and random trees: an index finds what a plain evaluation of each document finds. */
export function queryPropertiesArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('finds what the meaning of the tree says, document by document', async () => {
    const documents = fc.array(thing(), { minLength: DOCUMENTS, maxLength: DOCUMENTS });
    const queries = fc.array(tree(), { minLength: QUERIES, maxLength: QUERIES });
    await fc.assert(
      fc.asyncProperty(documents, queries, async (contents, nodes) => {
        const things = opened.things();
        const stored = contents.map((content, index) => ({ thing_id: `t${index}`, ...content }));
        await fill(things, stored);
        for (const node of nodes) {
          const expected = stored.filter((document) => matches(node, things.definition, document)).map(idOf);
          const found = await idsOf(things, { query: node });
          assert.deepEqual(
            new Set(found),
            new Set(expected),
            `${show(node)}\n${showDifferent(stored, found, expected)}`,
          );
          assert.equal(await things.count({ query: node }, EVERYTHING), expected.length, show(node));
        }
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });

  it('counts the values that the documents have', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(thing(), { minLength: DOCUMENTS, maxLength: DOCUMENTS }), async (contents) => {
        const things = opened.things();
        const stored = contents.map((content, index) => ({ thing_id: `t${index}`, ...content }));
        await fill(things, stored);
        for (const field of ['name', 'title', 'port', 'size', 'score', 'active', 'seen', 'address', 'tags', 'ports']) {
          await assertFacet(things, stored, field);
        }
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });
}

async function assertFacet(
  things: Collection<StoredDocument>,
  stored: readonly StoredDocument[],
  field: string,
): Promise<void> {
  const expected = new Map<string, number>();
  for (const document of stored) {
    for (const value of new Set(indexedValues(things.definition, document).values.get(field))) {
      const key = String(typeof value === 'boolean' ? Number(value) : value);
      expected.set(key, (expected.get(key) ?? 0) + 1);
    }
  }
  const { buckets, other } = await things.facet({ ...ALL, field, rows: 1000 }, EVERYTHING);
  assert.deepEqual(new Map(buckets.map(({ key, count }) => [String(key), count])), expected, field);
  assert.equal(other, 0);
  const counts = buckets.map(({ count }) => count);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
    field,
  );
}

// Few values, so that documents and queries meet; odd ones among them.
const WORDS = ['', 'a', 'A', 'ab', 'b a', 'É', 'straße', '漢字', '🔥', 'a*b', 'x_y', '10', 'İ', '\u212a'] as const;
const PROSE = [
  'the quick brown fox',
  'quick quick fox',
  "don't stop",
  '10.0.0.1 seen',
  '漢字 text',
  '',
  'Fox, BROWN!',
] as const;
const WHOLE = [-2147483648, -1, 0, 1, 2, 443, 2147483647] as const;
const LARGE = ['-9223372036854775808', -1, 0, 4294967296, '9007199254740993', '9223372036854775807'] as const;
const NUMBERS = [-1.5, -0, 0, 0.1, 0.5, 3.4e38, 16777217] as const;
const TIMES = [
  '2026-01-01',
  '2026-01-15T10:30:00.123456Z',
  '2026-01-31T23:59:59.999+05:00',
  '1969-12-31T23:59:59Z',
] as const;
const ADDRESSES = ['10.0.0.1', '::ffff:10.0.0.1', '10.0.0.255', '::1', '2001:DB8::5', '0.0.0.0'] as const;

function thing(): fc.Arbitrary<StoredDocument> {
  const comment = fc.record({ user: oneOf(WORDS), value: oneOf(PROSE), stars: oneOf(WHOLE) }, { requiredKeys: [] });
  const fields: Record<string, fc.Arbitrary<unknown>> = {
    name: oneOf(WORDS),
    title: oneOf(WORDS),
    note: oneOf(PROSE),
    port: oneOf(WHOLE),
    size: oneOf(LARGE),
    score: oneOf(NUMBERS),
    active: fc.boolean(),
    seen: oneOf(TIMES),
    address: oneOf(ADDRESSES),
    tags: fc.array(oneOf(WORDS), { maxLength: 4 }),
    ports: fc.array(oneOf(WHOLE), { maxLength: 4 }),
    comments: fc.array(comment, { maxLength: 3 }),
    labels: fc.record({ x: oneOf(WORDS), y: oneOf(WORDS) }, { requiredKeys: [] }),
    secret: oneOf(WORDS),
    owner: fc.record({ name: oneOf(WORDS), age: oneOf(WHOLE) }, { requiredKeys: [] }),
  };
  const orNull = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }),
    ]),
  );
  return fc.record(orNull, { requiredKeys: [] });
}

const KEYWORDS = ['name', 'tags', 'comments.user', 'labels.x', 'owner.name', 'thing_id', 'nothing'] as const;
/** Trees hold values of such fields in lower case. */
const LOWERCASE_KEYWORDS = ['title'] as const;
const LOWERCASE_WORDS = WORDS.map(lowercase);
const PROSE_FIELDS = ['note', 'comments.value', '__text__'] as const;
const REGEXPS = [
  '.*',
  'a.?',
  '[a-f].*',
  'qu(i|x)ck',
  '~(fox)',
  '@',
  '<1-10>',
  '.{1,2}',
  'straße|É',
  // A string in any case, also where the small letter of another letter is one of ASCII.
  '.*[aA].*',
  '.*[iI].*',
  '.*[kK].*',
  '.*[xX]_.*',
  '.*[éÉ].*',
] as const;
const asWritten = (pattern: string): string => pattern;
const TOKENS = ['quick', 'fox', 'brown', 'the', "don't", '10.0.0.1', '漢', 'text', 'absent'] as const;

function tree(): fc.Arbitrary<QueryNode> {
  return fc.letrec<{ node: QueryNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      leaf(),
      fc.record({
        kind: fc.constant('boolean' as const),
        must: fc.array(tie('node'), { maxLength: 3 }),
        should: fc.array(tie('node'), { maxLength: 3 }),
        mustNot: fc.array(tie('node'), { maxLength: 2 }),
      }),
    ),
  })).node;
}

function leaf(): fc.Arbitrary<QueryNode> {
  const word = oneOf(WORDS.flatMap((text) => [text, text.toLowerCase()]));
  const token = oneOf(TOKENS);
  return fc.oneof(
    fc.constant<QueryNode>({ kind: 'all' }),
    fc.constant<QueryNode>({ kind: 'none' }),
    fc.record({
      kind: fc.constant('exists' as const),
      field: oneOf([...KEYWORDS, ...LOWERCASE_KEYWORDS, ...PROSE_FIELDS, 'port', 'seen', 'ports', 'active']),
    }),
    ...VALUED.flatMap(({ fields, value }) => [
      fc.record({ kind: fc.constant('term' as const), field: oneOf(fields), value }),
      fc.record({
        kind: fc.constant('terms' as const),
        field: oneOf(fields),
        values: fc.array(value, { maxLength: 4 }),
      }),
      range(oneOf(fields), value),
    ]),
    ...[
      { field: oneOf(KEYWORDS), text: word, pattern: asWritten },
      { field: oneOf(LOWERCASE_KEYWORDS), text: oneOf(LOWERCASE_WORDS), pattern: lowercase },
      { field: oneOf(PROSE_FIELDS), text: token, pattern: asWritten },
    ].flatMap(({ field, text, pattern }) => [
      fc.record({
        kind: fc.constant('wildcard' as const),
        field,
        pattern: fc
          .array(oneOf(['*', '?', 'a', 'f', 'o', '\\*', '漢', '🔥', '_']), { maxLength: 4 })
          .map((parts) => parts.join('')),
      }),
      fc.record({ kind: fc.constant('prefix' as const), field, value: text }),
      fc.record({
        kind: fc.constant('regexp' as const),
        field,
        pattern: oneOf(REGEXPS).map(pattern),
      }),
      fc.record({
        kind: fc.constant('fuzzy' as const),
        field,
        value: text.filter((value) => value !== ''),
        maxEdits: oneOf([0, 1, 2] as const),
      }),
    ]),
    fc.record({
      kind: fc.constant('phrase' as const),
      field: oneOf(PROSE_FIELDS),
      terms: fc.array(token, { minLength: 1, maxLength: 3 }),
      slop: oneOf([0, 0, 1, 3]),
    }),
    fc.record({
      kind: fc.constant('ids' as const),
      ids: fc.array(oneOf(['t0', 't1', 't20', 'none']), { maxLength: 3 }),
    }),
  );
}

const VALUED: readonly { readonly fields: readonly string[]; readonly value: fc.Arbitrary<IndexedValue> }[] = [
  { fields: KEYWORDS, value: oneOf(WORDS.flatMap((text) => [text, text.toLowerCase()])) },
  { fields: LOWERCASE_KEYWORDS, value: oneOf(LOWERCASE_WORDS) },
  { fields: PROSE_FIELDS, value: oneOf(TOKENS) },
  { fields: ['port', 'ports', 'comments.stars', 'owner.age'], value: oneOf(WHOLE) },
  { fields: ['size'], value: oneOf(LARGE.map(BigInt)) },
  { fields: ['score'], value: oneOf(NUMBERS.map(Math.fround)) },
  { fields: ['active'], value: fc.boolean() },
  { fields: ['seen'], value: oneOf(TIMES.map((time) => Date.parse(time))) },
  {
    fields: ['address'],
    value: oneOf([
      '00000000000000000000ffff0a000001',
      '00000000000000000000000000000001',
      '20010db8000000000000000000000005',
    ]),
  },
];

function range(field: fc.Arbitrary<string>, value: fc.Arbitrary<IndexedValue>): fc.Arbitrary<QueryNode> {
  const bound = fc.record({ value, inclusive: fc.boolean() });
  return fc.record(
    { kind: fc.constant('range' as const), field, lower: bound, upper: bound },
    { requiredKeys: ['kind', 'field'] },
  );
}

function oneOf<const T>(values: readonly T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...values);
}

function show(node: QueryNode): string {
  return JSON.stringify(node, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

function showDifferent(
  stored: readonly StoredDocument[],
  found: readonly string[],
  expected: readonly string[],
): string {
  const different = new Set(found).symmetricDifference(new Set(expected));
  return stored
    .filter((document) => different.has(idOf(document)))
    .slice(0, 3)
    .map((document) => `${found.includes(idOf(document)) ? 'wrongly found' : 'not found'}: ${JSON.stringify(document)}`)
    .join('\n');
}
