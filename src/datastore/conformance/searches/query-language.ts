import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Differences } from '../../../../test/golden/differences.ts';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { Collection } from '../../port/collection.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import type { GoldenEntry } from './golden-rows.ts';
import {
  fillGoldenCollection,
  goldenDefinition,
  goldenDifference,
  goldenTitle,
  readGoldenTable,
} from './golden-table.ts';

const FOLDER = fileURLToPath(new URL('../../../../test/golden/lucene', import.meta.url));
const TABLE = await readGoldenTable(FOLDER);
/** Questions that are asked together, to spare the waiting between them. */
const AT_ONCE = 10;
const DIFFERENCES = Differences.of(FOLDER);

/** Compares results with those of a real server, for every kind of query and aggregation. */
export function queryLanguageArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);
  let collection: Collection<StoredDocument>;
  before(async () => {
    collection = opened.collection(goldenDefinition(TABLE, 'golden'));
    await fillGoldenCollection(collection, TABLE);
  });

  const byArea = Map.groupBy(TABLE.entries, ({ row }) => ('kind' in row ? row.kind : row.area));
  for (const [area, entries] of byArea) {
    it(`answers as recorded: ${area}, ${entries.length} rows`, async () => {
      const problems: string[] = [];
      for (let from = 0; from < entries.length; from += AT_ONCE) {
        const asked = entries.slice(from, from + AT_ONCE).map((entry) => problemOf(collection, entry));
        problems.push(...(await Promise.all(asked)).flat());
      }
      assert.deepEqual(problems, []);
    });
  }
}

/** Nothing: as recorded, or listed as different and different indeed. */
async function problemOf(collection: Collection<StoredDocument>, { file, line, row }: GoldenEntry): Promise<string[]> {
  const difference = await goldenDifference(collection, row);
  const reason = DIFFERENCES.reason(file, line);
  if (difference === undefined && reason !== undefined)
    return [`${file}:${line} is listed as different and is not: ${reason}`];
  return difference === undefined || reason !== undefined ? [] : [`${file}:${line} ${goldenTitle(row)}: ${difference}`];
}
