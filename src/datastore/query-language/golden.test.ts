import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Differences } from '../../../test/golden/differences.ts';
import { definitionOfMapping } from '../../../test/golden/mapping-definition.ts';
import type { StoredDocument } from '../../documents/schema/collection-definition.ts';
import { MAX_FUZZY_EXPANSIONS, type QueryNode } from '../port/query-tree.ts';
import { bestFuzzyTerms } from '../regular-language/fuzzy.ts';
import { compileQuery } from './compile-query.ts';
import { type IndexedDocument, indexedValues } from './indexed-values.ts';
import { matchesIndexed } from './matches.ts';

interface QueryRow {
  readonly area: string;
  readonly q: string;
  readonly no_default_field?: boolean;
  readonly ids?: readonly string[];
  readonly error?: boolean;
  readonly class?: string;
  readonly reason?: string;
  readonly at?: { readonly line: number; readonly column: number };
}

const FOLDER = join(import.meta.dirname, '../../../test/golden/lucene');
const QUERIES = 'queries.ndjson';
const DEFINITION = definitionOfMapping('golden', JSON.parse(readFileSync(join(FOLDER, 'mapping.json'), 'utf8')));
const DOCUMENTS = rows<StoredDocument & { id: string }>('documents.ndjson').map((document) => ({
  id: document.id,
  indexed: indexedValues(DEFINITION, document),
}));
const DIFFERENCES = Differences.of(FOLDER);
/** Share of both files of rows together. */
const ALLOWED_SHARE = 0.01;

describe('queries that a real Elasticsearch answered', () => {
  const byArea = Map.groupBy(
    rows<QueryRow>(QUERIES).map((row, index) => ({ row, line: index + 1 })),
    ({ row }) => row.area,
  );
  for (const [area, entries] of byArea) {
    it(`are answered alike: ${area}, ${entries.length} rows`, () => {
      const problems = entries.flatMap(({ row, line }) => problemOf(row, line) ?? []);
      assert.deepEqual(problems, []);
    });
  }

  it('name the place of a syntax error', () => {
    const misplaced = rows<QueryRow>(QUERIES).filter((row) => {
      if (row.at?.line !== 1 || !/^unexpected|^the query ends/.test(row.reason ?? '')) return false;
      return placeOfError(row) !== row.at.column;
    });
    assert.deepEqual(misplaced, []);
  });

  it('differ in one of a hundred at most, each for a listed reason', () => {
    const total = rows(QUERIES).length + rows('aggregations.ndjson').length;
    assert.ok(DIFFERENCES.all.length <= total * ALLOWED_SHARE);
    for (const { file, line, q, reason } of DIFFERENCES.all) {
      assert.ok(reason.endsWith('.'));
      if (q !== undefined) assert.equal(rows<QueryRow>(file)[line - 1]?.q, q);
    }
  });
});

/** Undefined: as recorded, or listed as different and different indeed. */
function problemOf(row: QueryRow, line: number): string | undefined {
  const problem = differenceOf(row);
  const reason = DIFFERENCES.reason(QUERIES, line);
  if (reason === undefined) return problem && `line ${line}, ${JSON.stringify(row.q)}: ${problem}`;
  return problem === undefined ? `line ${line} is listed as different and is not: ${reason}` : undefined;
}

function differenceOf(row: QueryRow): string | undefined {
  const answer = answerTo(row);
  if (row.error)
    return 'error' in answer ? undefined : `found ${answer.ids.length} documents instead of: ${row.reason}`;
  if ('error' in answer) return `was refused: ${answer.error.message}`;
  const wanted = new Set(row.ids);
  const found = new Set(answer.ids);
  const difference = [...wanted.symmetricDifference(found)];
  return difference.length === 0
    ? undefined
    : `found ${found.size} of ${wanted.size}, different in ${difference.slice(0, 5)}`;
}

type RefusedQuery = Error & { readonly at?: unknown };

function answerTo(row: QueryRow): { readonly ids: readonly string[] } | { readonly error: RefusedQuery } {
  let node: QueryNode;
  try {
    node = compileQuery(row.q, DEFINITION, { defaultField: row.no_default_field ? '*' : '__text__' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'invalid_query') return { error };
    throw error;
  }
  const expanded = withFuzzyTerms(node);
  return { ids: DOCUMENTS.filter(({ indexed }) => matchesIndexed(expanded, indexed)).map(({ id }) => id) };
}

function placeOfError(row: QueryRow): unknown {
  const answer = answerTo(row);
  return 'error' in answer ? answer.error.at : undefined;
}

/** Fuzzy clauses stand for the best terms of the whole index. */
function withFuzzyTerms(node: QueryNode): QueryNode {
  if (node.kind === 'fuzzy') {
    return {
      kind: 'terms',
      field: node.field,
      values: bestFuzzyTerms(
        node,
        DOCUMENTS.flatMap(({ indexed }) => terms(indexed, node.field)),
        MAX_FUZZY_EXPANSIONS,
      ),
    };
  }
  if (node.kind !== 'boolean') return node;
  const { must, should, mustNot } = node;
  return {
    kind: 'boolean',
    must: must.map(withFuzzyTerms),
    should: should.map(withFuzzyTerms),
    mustNot: mustNot.map(withFuzzyTerms),
  };
}

function terms({ values, tokens }: IndexedDocument, field: string): readonly string[] {
  return [...(values.get(field) ?? []).map(String), ...(tokens.get(field) ?? []).map(({ text }) => text)];
}

function rows<Row = unknown>(file: string): readonly Row[] {
  return readFileSync(join(FOLDER, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
