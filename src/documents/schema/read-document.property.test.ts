import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isTriadError } from '../../errors/errors.ts';
import { ALL_DOCUMENTS } from '../all-documents.ts';
import { hitDocument } from '../kinds/hit.ts';
import type { DocumentDefinition } from './document-definition.ts';
import type { GroupContent } from './field-spec.ts';
import type { FlatField } from './field-types.ts';
import { flatten } from './flatten.ts';
import { toOutput } from './output.ts';
import { setOwn } from './plain-objects.ts';
import { readDocument, readFieldValue } from './read-document.ts';
import { formatDate, readDate } from './values/date-values.ts';

const classification = { unrestricted: 'U', normalise: (text: string) => text };
const definitions = ALL_DOCUMENTS as readonly DocumentDefinition<unknown>[];
const paths = definitions.flatMap((definition) => definition.ownFields.map((field) => field.path));
const groups = [...new Set(paths.map((path) => path.split('.').slice(0, -1).join('.')))].filter(Boolean);
const values = definitions.flatMap((definition) => definition.ownFields.flatMap((field) => field.values ?? []));

const someKey = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...paths, ...groups) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', '', '.', 'a..b', '__index'),
  },
);
const someValue = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...values,
    'NOW',
    '1.2.3.4',
    '::1',
    'a@b.com',
    'a.com',
    'http://a.com/x',
    '2026-01-02',
    '12',
    2n ** 63n,
    10n ** 400n,
    '-0',
    '1e400',
  ),
  fc.array(fc.dictionary(someKey, fc.jsonValue())),
  fc.dictionary(someKey, fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }))),
);
const garbage = fc.oneof(fc.dictionary(someKey, someValue), someValue);

/** Runs `act`, which may throw only rejections of the input. */
function orRefusal<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (isTriadError(error) && error.kind === 'invalid_input') return undefined;
    throw error;
  }
}

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const hex = (digits: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`));
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
/** Values that fit fields of a type; enums and patterns of their own need the field. */
const byType: Readonly<Record<FlatField['type'], fc.Arbitrary<unknown>>> = {
  keyword: fc.oneof(word, fc.integer(), fc.boolean()),
  case_insensitive_keyword: word,
  text: word,
  uuid: word,
  enum: word,
  boolean: fc.oneof(fc.boolean(), fc.constantFrom('true', 'false', 1, 0)),
  integer: fc.oneof(fc.integer(), fc.integer().map(String)),
  long: fc.oneof(fc.maxSafeInteger(), int64, int64.map(String)),
  float: fc.float({ noNaN: true, noDefaultInfinity: true }),
  date: fc.oneof(
    fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }).map(formatDate),
    fc.integer({ min: 0, max: 4_000_000_000 }),
    fc.constantFrom('2026-01-02', '2026-01-02T03:04:05+02:00', '2026-W03-2', 'NOW'),
  ),
  ip: fc.oneof(fc.ipV4(), fc.constantFrom('::1', '2001:db8::1')),
  domain: fc.constantFrom('example.com', 'A.B.CO'),
  email: fc.constantFrom('a@example.com', 'A.B@EXAMPLE.COM'),
  uri: fc.constantFrom('https://EXAMPLE.com/Path', '//1.2.3.4:80/'),
  mac: fc.constantFrom('aa:bb:cc:dd:ee:ff', '00-11-22-33-44-55'),
  md5: hex(32),
  sha1: hex(40),
  sha256: hex(64),
  hash: hex(12),
  ssdeep: fc.constant('3:abc:def'),
  classification: word,
  json: fc.oneof(
    word,
    fc.jsonValue().filter((value) => value !== null),
  ),
  any: fc.oneof(word, fc.integer(), fc.array(word)),
  mapping: fc.dictionary(
    fc.stringMatching(/^[a-z]{3,8}$/).filter((key) => key !== 'constructor' && key !== 'prototype'),
    word,
  ),
};

function fitting(field: FlatField): fc.Arbitrary<unknown> {
  const digits = field.type === 'keyword' ? /\{(\d+)\}/.exec(field.regex ?? '')?.[1] : undefined;
  const one =
    field.values !== undefined
      ? fc.constantFrom(...field.values)
      : digits !== undefined
        ? fc.constant('a'.repeat(Number(digits)))
        : byType[field.type];
  return field.list ? fc.array(one, { maxLength: 3 }) : one;
}

/** Begins of the paths of what lies in lists of objects. */
const listPrefixes: string[] = [];
const noteLists = (group: GroupContent, prefix: string) => {
  for (const [name, { content, list }] of Object.entries(group.fields)) {
    if (content.kind !== 'group') continue;
    if (list) listPrefixes.push(`${prefix}${name}.`);
    else noteLists(content, `${prefix}${name}.`);
  }
};
noteLists(hitDocument.root, '');

/** Fields that need no other field beside them. */
const plainFields = hitDocument.ownFields.filter(
  ({ path }) => !path.includes('geo.location') && !listPrefixes.some((prefix) => path.startsWith(prefix)),
);
const filledField = fc.oneof(
  ...plainFields.map((field) => fitting(field).map((value) => [field.path, value] as const)),
);
const validHit = fc
  .array(filledField, { maxLength: 45 })
  .map((entries) => Object.fromEntries(entries))
  .map((record) => ({
    'howler.analytic': 'a',
    'howler.hash': 'a',
    ...('organization.id' in record ? { 'organization.name': 'o' } : {}),
    ...record,
  }));

describe('properties of reading', () => {
  it('garbage is read or refused, never anything else', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...definitions),
        garbage,
        fc.constantFrom('refuse', 'warn', 'drop'),
        (definition, input, unknown) => {
          const result = orRefusal(() => readDocument(definition, input, { unknown, classification }));
          if (result !== undefined) JSON.stringify(result);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('garbage for one field is read or refused', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...definitions),
        someKey,
        someValue,
        fc.boolean(),
        (definition, path, value, item) => {
          orRefusal(() => readFieldValue(definition, path, value, { item, classification }));
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('pollutes no prototype', () => {
    assert.deepEqual(Object.keys(Object.prototype), []);
  });

  it('what was read reads as itself, flat or nested', () => {
    fc.assert(
      fc.property(validHit, (input) => {
        const { document } = readDocument(hitDocument, input, { unknown: 'refuse', classification });
        const again = (sent: unknown) =>
          readDocument(hitDocument, sent, { unknown: 'refuse', classification }).document;
        assert.deepEqual(again(document), document);
        assert.deepEqual(again(flatten(document, hitDocument as DocumentDefinition<unknown>)), document);
        assert.deepEqual(toOutput(hitDocument, document), document);
      }),
      { numRuns: 200 },
    );
  });

  it('flatten loses nothing but empty objects', () => {
    const name = fc.string({ minLength: 1, maxLength: 5 }).filter((key) => !key.includes('.'));
    const isFilled = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      Array.isArray(value) ||
      (Object.keys(value).length > 0 && Object.values(value).every(isFilled));
    const tree = fc.letrec((tie) => ({
      leaf: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.jsonValue())),
      node: fc.dictionary(name, fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('node'))),
    })).node as fc.Arbitrary<Record<string, unknown>>;
    fc.assert(
      fc.property(tree.filter(isFilled), (document) => {
        assert.deepEqual(normal(unflatten(flatten(document))), normal(document));
      }),
    );
  });

  it('dates read as the same time and stay as they are', () => {
    const date = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });
    fc.assert(
      fc.property(date, (time) => {
        const text = readDate(time.toISOString(), new Date());
        assert.equal(text, formatDate(time));
        assert.equal(readDate(text, new Date()), text);
        assert.equal(readDate(text.replace('Z', '+00:00').replace('T', ' '), new Date()), text);
      }),
    );
  });
});

/** Returns the nested form of `{ 'a.b.c': value }`. */
function unflatten(flat: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(flat)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = result;
    for (const name of names) {
      if (!Object.hasOwn(at, name)) setOwn(at, name, {});
      at = at[name] as Record<string, unknown>;
    }
    setOwn(at, last, value);
  }
  return result;
}

/** Without the difference between objects with and without a prototype. */
function normal(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
