import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { StoredDocument } from '../../documents/collection-definition.ts';
import type { Collection } from '../collection.ts';
import { GOLDEN_DIFFERENCES } from './golden-differences.ts';
import type { GoldenRow } from './golden-rows.ts';
import {
  fillGoldenCollection,
  goldenDefinition,
  goldenDifference,
  goldenTitle,
  readGoldenTable,
} from './golden-table.ts';
import { type DatastoreSubject, openForArea } from './subject.ts';

const TABLE = await readGoldenTable(new URL('../../../test/golden/lucene', import.meta.url).pathname);
const DIFFERENT = new Set(GOLDEN_DIFFERENCES.flatMap(({ titles }) => titles));

/** What a real server answered, for every area of queries and every kind of aggregation. */
export function queryLanguageArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);
  let collection: Collection<StoredDocument>;
  before(async () => {
    collection = opened.collection(goldenDefinition(TABLE, 'golden'));
    await fillGoldenCollection(collection, TABLE);
  });

  const rows: readonly GoldenRow[] = [...TABLE.queries, ...TABLE.aggregations];
  for (const [area, ofArea] of Map.groupBy(rows, (row) => ('kind' in row ? row.kind : row.area))) {
    it(`answers as recorded: ${area} (${ofArea.length} rows)`, async () => {
      const differences: string[] = [];
      for (const row of ofArea) {
        const title = goldenTitle(row);
        const difference = await goldenDifference(collection, row);
        if (difference !== undefined && !DIFFERENT.has(title)) differences.push(`${title}: ${difference}`);
        if (difference === undefined && DIFFERENT.has(title))
          differences.push(`${title}: is listed and does not differ`);
      }
      assert.deepEqual(differences, [], `${differences.length} of ${ofArea.length} rows differ`);
    });
  }
}
