import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { definitionOfMapping, type IndexBody } from '../../../../test/golden/mapping-definition.ts';
import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { isTriadError } from '../../../errors/errors.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import type { Collection } from '../../port/collection.ts';
import { unrestricted } from '../../port/read-access.ts';
import { compileQuery } from '../../query-language/compile-query.ts';
import { aggregationAnswer } from './golden-aggregations.ts';
import type { GoldenAggregation, GoldenEntry, GoldenQuery, GoldenRow, GoldenTable } from './golden-rows.ts';

const EVERYTHING = unrestricted('the recorded answers know no callers');

/** Reads mapping.json, documents.ndjson, queries.ndjson and aggregations.ndjson of a folder. */
export async function readGoldenTable(folder: string): Promise<GoldenTable> {
  const entriesOf = async (file: GoldenEntry['file']): Promise<GoldenEntry[]> =>
    (await readLines<GoldenRow>(join(folder, file))).map((row, index) => ({ file, line: index + 1, row }));
  const [mapping, documents, queries, aggregations] = await Promise.all([
    readFile(join(folder, 'mapping.json'), 'utf8'),
    readLines<StoredDocument>(join(folder, 'documents.ndjson')),
    entriesOf('queries.ndjson'),
    entriesOf('aggregations.ndjson'),
  ]);
  return { mapping: JSON.parse(mapping) as IndexBody, documents, entries: [...queries, ...aggregations] };
}

export function goldenDefinition(table: GoldenTable, name: string): CollectionDefinition<StoredDocument> {
  return definitionOfMapping(name, table.mapping);
}

/** Stores the documents of the table, in its order. */
export async function fillGoldenCollection(collection: Collection<StoredDocument>, table: GoldenTable): Promise<void> {
  const results = await collection.bulk(
    table.documents.map((document) => ({ kind: 'save', id: String(document.id), document })),
    { visible: 'now' },
  );
  const failed = results.find((result) => !result.ok);
  if (failed !== undefined) throw new Error(`The document ${failed.id} of the table was not stored.`);
}

/**
 * Asks one row of the collection.
 * Undefined when the answer is the recorded one, else what differs, in a line.
 */
export async function goldenDifference(
  collection: Collection<StoredDocument>,
  row: GoldenRow,
): Promise<string | undefined> {
  const expected = 'kind' in row ? row.expected : row;
  const answer = await answerOf(collection, row);
  if (expected.error === true) {
    return answer.error === undefined ? `it was answered, not refused (${expected.class})` : undefined;
  }
  if (answer.error !== undefined) return `it was refused: ${answer.error}`;
  return firstDifference(answer.value, 'kind' in row ? comparable(row) : { total: row.total, ids: row.ids });
}

/** Returns the name of a row in messages. */
export function goldenTitle(row: GoldenRow): string {
  if (!('kind' in row)) return `${row.area} ${row.q}`;
  const filters = row.filters.length === 0 ? '' : ` + ${row.filters.join(' + ')}`;
  return `${row.kind} ${JSON.stringify(row.params)} of ${row.query}${filters}`;
}

/** Figures are recorded a second time as text. */
function comparable({ kind, expected }: GoldenAggregation): Readonly<Record<string, unknown>> {
  if (kind !== 'stats') return expected;
  return Object.fromEntries(Object.entries(expected).filter(([key]) => !key.endsWith('_as_string')));
}

interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

async function answerOf(collection: Collection<StoredDocument>, row: GoldenRow): Promise<Answer> {
  try {
    return { value: 'kind' in row ? await aggregationAnswer(collection, row) : await queryAnswer(collection, row) };
  } catch (error) {
    if (isTriadError(error) && (error.kind === 'invalid_input' || error.kind === 'unsupported')) {
      return { error: `${error.code}: ${error.message}` };
    }
    throw error;
  }
}

async function queryAnswer(collection: Collection<StoredDocument>, row: GoldenQuery): Promise<unknown> {
  const options = row.no_default_field === true ? ({ defaultField: '*' } as const) : {};
  const query = compileQuery(row.q, collection.definition, options);
  const sort = [{ field: 'id', order: 'asc' }] as const;
  const { items, total } = await collection.search({ query, rows: 1000, sort }, EVERYTHING);
  return { total, ids: items.map(({ id }) => id) };
}

/** Returns the first difference between two results; fractional numbers may differ by a factor of 1e-9. */
export function firstDifference(answer: unknown, wanted: unknown, path = ''): string | undefined {
  const at = path === '' ? 'the answer' : path;
  if (typeof answer === 'number' && typeof wanted === 'number') {
    const close = answer === wanted || Math.abs(answer - wanted) <= 1e-9 * Math.max(Math.abs(answer), Math.abs(wanted));
    return close ? undefined : `${at} is ${answer}, not ${wanted}`;
  }
  if (Array.isArray(answer) && Array.isArray(wanted)) {
    if (answer.length === wanted.length || !isIdentifiers(wanted)) {
      for (const [index, item] of wanted.entries()) {
        const difference = firstDifference(answer[index], item, `${path}[${index}]`);
        if (difference !== undefined) return difference;
      }
    }
    if (answer.length === wanted.length) return undefined;
    const extra = answer.filter((item) => !wanted.some((other) => isDeepStrictEqual(item, other)));
    const absent = wanted.filter((item) => !answer.some((other) => isDeepStrictEqual(item, other)));
    return `${at} has ${answer.length} items, not ${wanted.length}: too many ${shorten(extra)}, too few ${shorten(absent)}`;
  }
  if (isRecord(answer) && isRecord(wanted)) {
    for (const key of Object.keys(wanted).toReversed()) {
      const difference = firstDifference(answer[key], wanted[key], path === '' ? key : `${path}.${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return isDeepStrictEqual(answer, wanted) ? undefined : `${at} is ${shorten(answer)}, not ${shorten(wanted)}`;
}

function isIdentifiers(list: readonly unknown[]): boolean {
  return list.every((item) => typeof item === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

async function readLines<T>(file: string): Promise<T[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line) as T);
}
