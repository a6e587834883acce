import { type Static, Type } from 'typebox';
import { InvalidInput } from '../../../errors/errors.ts';
import { wrongBody } from '../../../http/input/input-schemas.ts';
import { anyText, converted, integer, listOf, numberOf, reading, refusing } from '../../../input/input-kinds.ts';
import { totalLimit } from '../../../search/total-limit.ts';

import { FUZZY_INDEXES, type FuzzyIndex, MAX_QUERY_LENGTH, MAX_QUERY_WORDS } from './fuzzy-query.ts';

const query = refusing(
  reading(
    Type.String({
      description: `Words, an address, a hash, an e-mail address, a URL or a domain; \`*\` finds everything. At most ${MAX_QUERY_LENGTH} characters and ${MAX_QUERY_WORDS} words.`,
      examples: ['powershell'],
    }),
    { accept: (value) => (typeof value === 'string' ? value.trim() || undefined : value) },
  ),
  ({ kind }) =>
    kind === 'missing'
      ? new InvalidInput('query_missing', 'Search query is required and cannot be empty.', { at: 'query' })
      : undefined,
);

const indexes = converted(
  reading(
    Type.Array(Type.String(), {
      description: 'Kinds of documents, a list or separated by commas: hit, event, case.',
      default: [...FUZZY_INDEXES],
    }),
    {
      accept: (value) => {
        if (typeof value !== 'string') return value === null ? 'null' : value;
        return value.split(',').flatMap((name) => name.trim() || []);
      },
    },
  ),
  readIndexes,
);

function readIndexes(names: readonly string[]): readonly FuzzyIndex[] {
  const known: ReadonlySet<string> = new Set(FUZZY_INDEXES);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    const message = `Invalid index: ${unknown}. Must be one of: ${FUZZY_INDEXES.join(', ')}`;
    throw new InvalidInput('unknown_index', message, { at: 'indexes' });
  }
  if (names.length === 0) {
    throw new InvalidInput('argument_missing', 'At least one index must be specified.', { at: 'indexes' });
  }
  return FUZZY_INDEXES.filter((name) => names.includes(name));
}

/** A whole number, also as a string; null is refused. */
function count(description: string, usual: number) {
  const schema = integer({ minimum: 0, maximum: 2_147_483_647, default: usual, description });
  return refusing(
    reading(schema, {
      accept: (value) => (typeof value === 'string' ? (numberOf(value) ?? value) : value === null ? 'null' : value),
    }),
    ({ value }) =>
      typeof value === 'number'
        ? undefined
        : new InvalidInput('invalid_argument', "'offset' and 'rows' must be integers."),
  );
}

export const FuzzyBody = refusing(
  Type.Object(
    {
      query,
      indexes,
      filters: listOf(anyText({ keepEmpty: true }), {
        description: 'Lucene queries; all of them have to match. They do not score.',
        default: [],
      }),
      offset: count('Documents to skip; offset and rows together at most 10,000.', 0),
      rows: count('Documents of a page.', 100),
      track_total_hits: totalLimit,
    },
    { minProperties: 1 },
  ),
  wrongBody('Request body is required.'),
);
export type FuzzyInput = Static<typeof FuzzyBody>;

export const FuzzyReply = Type.Object({
  offset: Type.Integer(),
  rows: Type.Integer(),
  total: Type.Integer(),
  items: Type.Array(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Whole documents with `__index` and `_score`, the best first.',
    }),
  ),
});
