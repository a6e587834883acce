import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { StoredDocument } from '../../documents/schema/collection-definition.ts';
import { SEARCHABLE } from '../../testing/searchable-kind.ts';
import { compileQuery } from './compile-query.ts';
import { explainQuery } from './explain-query.ts';
import { matches } from './matches.ts';

/** Text of a query and, written independently of it, whether a document matches. */
interface Said {
  readonly text: string;
  readonly holds: (document: StoredDocument) => boolean;
}

const WORD = fc.constantFrom(
  'red',
  'blue',
  'a b',
  'AND',
  'x:y',
  '-5',
  '*',
  'C:\\dir',
  '"q"',
  '(1)',
  'é😀',
  '/re/',
  '>5',
  '',
);
const NUMBER = fc.integer({ min: -5, max: 5 });

const DOCUMENT: fc.Arbitrary<StoredDocument> = fc.record(
  {
    status: WORD,
    tags: fc.array(WORD, { maxLength: 3 }),
    severity: NUMBER,
    score: fc.array(fc.float({ noNaN: true, min: -2, max: 2 }), { maxLength: 2 }),
    is: fc.record({ open: fc.boolean() }),
    message: fc.array(fc.constantFrom('quick brown fox', 'lazy dog', ''), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

const LEAF: fc.Arbitrary<Said> = fc.oneof(
  fc.tuple(fc.constantFrom('status', 'tags'), WORD, fc.boolean()).map(
    ([field, value, quoted]): Said => ({
      text: `${field}:${quoted || /^$|^[<>]/.test(value) ? quotedText(value) : escaped(value)}`,
      holds: (document) => valuesOf(document[field]).includes(value),
    }),
  ),
  fc
    .tuple(
      fc.constantFrom('status', 'tags'),
      WORD.filter((word) => word !== ''),
    )
    .map(
      ([field, value]): Said => ({
        text: `${field}:${escaped([...value].slice(0, 1).join(''))}*`,
        holds: (document) =>
          valuesOf(document[field]).some((own) => String(own).startsWith([...value].slice(0, 1).join(''))),
      }),
    ),
  fc.tuple(NUMBER, NUMBER, fc.boolean(), fc.boolean()).map(
    ([a, b, lower, upper]): Said => ({
      text: `severity:${lower ? '[' : '{'}${a} TO ${b}${upper ? ']' : '}'}`,
      holds: ({ severity }) =>
        typeof severity === 'number' &&
        (lower ? severity >= a : severity > a) &&
        (upper ? severity <= b : severity < b),
    }),
  ),
  fc.tuple(NUMBER, fc.constantFrom('>', '>=', '<', '<=')).map(
    ([bound, sign]): Said => ({
      text: `score:${sign}${bound}`,
      holds: ({ score }) => valuesOf(score).some((own) => compared(Number(own), sign, bound)),
    }),
  ),
  fc.boolean().map(
    (open): Said => ({
      text: `is.open:${open}`,
      holds: ({ is }) => is !== undefined && (is as { open: boolean }).open === open,
    }),
  ),
  fc.constantFrom('status', 'tags', 'severity', 'message').map(
    (field): Said => ({
      text: `_exists_:${field}`,
      holds: (document) => valuesOf(document[field]).length > 0,
    }),
  ),
  fc.constantFrom('quick', 'fox', 'dog', 'cat').map(
    (word): Said => ({
      text: `message:${word.toUpperCase()}`,
      holds: ({ message }) => valuesOf(message).some((own) => String(own).split(' ').includes(word)),
    }),
  ),
);

const { query: QUERY } = fc.letrec<{ query: Said; part: Said }>((tie) => ({
  part: fc.oneof({ maxDepth: 3 }, LEAF, tie('query')),
  query: fc
    .array(fc.tuple(fc.constantFrom('', '+', '-'), tie('part')), { minLength: 1, maxLength: 4 })
    .map((clauses) => group(clauses)),
}));

describe('any query', () => {
  it('means the same printed and read again', () => {
    fc.assert(
      fc.property(QUERY, fc.array(DOCUMENT, { minLength: 5, maxLength: 5 }), (query, documents) => {
        const node = compileQuery(query.text, SEARCHABLE);
        for (const document of documents)
          assert.equal(matches(node, SEARCHABLE, document), query.holds(document), query.text);
      }),
      { numRuns: 500 },
    );
  });

  it('means the same as its explanation, unless a part of it matches nothing', () => {
    fc.assert(
      fc.property(QUERY, fc.array(DOCUMENT, { minLength: 5, maxLength: 5 }), (query, documents) => {
        const explanation = explainQuery(query.text, SEARCHABLE);
        fc.pre(!explanation.includes('MatchNoDocsQuery'));
        const node = compileQuery(explanation, SEARCHABLE);
        for (const document of documents)
          assert.equal(matches(node, SEARCHABLE, document), query.holds(document), `${query.text}: ${explanation}`);
      }),
      { numRuns: 500 },
    );
  });

  it('finds a value by its escaped and by its quoted text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (value) => {
        fc.pre(!value.includes('\0') && value.isWellFormed());
        // In front of a value these two compare, escaped or not.
        const texts = /^[<>]./s.test(value) ? [quotedText(value)] : [escaped(value), quotedText(value)];
        for (const text of texts) {
          assert.deepEqual(compileQuery(`status:${text}`, SEARCHABLE), { kind: 'term', field: 'status', value });
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is refused with invalid_query and a position inside it, or accepted', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...'ab:*?~^"()[]{}+-!/\\ &|<>=.1\u3000',
        ' AND ',
        ' OR ',
        ' NOT ',
        ' TO ',
        'message:',
        'severity:',
        'source.ip:',
        'timestamp:',
        '_exists_:',
        '\\u',
        '||',
        'now',
        '\\*',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom('__text__' as const, '*' as const), (query, defaultField) => {
        try {
          compileQuery(query, SEARCHABLE, { defaultField });
        } catch (error) {
          assert.ok(error instanceof Error && 'code' in error && 'at' in error, String(error));
          assert.equal(error.code, 'invalid_query');
          assert.ok(typeof error.at === 'number' && error.at >= 0 && error.at <= query.length);
        }
      }),
      { numRuns: 5000 },
    );
  });
});

function group(clauses: readonly (readonly [string, Said])[]): Said {
  const of = (wanted: string): readonly Said[] => clauses.filter(([sign]) => sign === wanted).map(([, said]) => said);
  const [required, excluded, optional] = [of('+'), of('-'), of('')];
  return {
    text: `(${clauses.map(([sign, said]) => sign + said.text).join(' ')})`,
    holds: (document) => {
      if (excluded.some((said) => said.holds(document)) || !required.every((said) => said.holds(document)))
        return false;
      return required.length > 0 || optional.length === 0 || optional.some((said) => said.holds(document));
    },
  };
}

function valuesOf(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value].flat();
}

function compared(value: number, sign: string, bound: number): boolean {
  if (sign === '>') return value > bound;
  if (sign === '>=') return value >= bound;
  return sign === '<' ? value < bound : value <= bound;
}

function escaped(value: string): string {
  return [...value]
    .map((character) => (/[\p{L}\p{N}]/u.test(character) ? character : `\\${character}`))
    .join('')
    .replace(/^(?=AND|OR|NOT)/, '\\');
}

function quotedText(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
