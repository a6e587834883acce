import { parseArgs } from 'node:util';
import {
  fillGoldenCollection,
  goldenDefinition,
  goldenDifference,
  goldenTitle,
  readGoldenTable,
} from '../../src/datastore/conformance/golden-table.ts';
import { openEmbeddedDatastore } from '../../src/datastore/embedded/embedded-datastore.ts';
import { Differences } from './differences.ts';

const USAGE = `Usage: npm run golden -- FOLDER [--datastore URL]

Puts recorded questions to the embedded datastore and compares the answers. FOLDER holds mapping.json, documents.ndjson,
queries.ndjson and aggregations.ndjson and, where rows may differ, differences.json.`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { datastore: { type: 'string' }, help: { type: 'boolean' } },
  });
  const [folder, ...more] = positionals;
  if (values.help || folder === undefined || more.length > 0) {
    console.error(USAGE);
    return values.help ? 0 : 2;
  }
  if (values.datastore !== undefined) {
    console.error('--datastore is not supported yet: this version has the embedded datastore alone.');
    return 2;
  }
  const { passed, failed } = await run(folder);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function run(folder: string): Promise<{ passed: number; failed: number }> {
  const table = await readGoldenTable(folder);
  const differences = Differences.of(folder);
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'golden' });
  let failed = 0;
  try {
    const collection = datastore.collection(goldenDefinition(table, 'golden'));
    await fillGoldenCollection(collection, table);
    for (const { file, line, row } of table.entries) {
      const difference = await goldenDifference(collection, row);
      const problem = judge(difference, differences.reason(file, line));
      if (problem === undefined) continue;
      failed += 1;
      console.log(`${file}:${line}: ${goldenTitle(row)}: ${problem}`);
    }
  } finally {
    await datastore.close();
  }
  return { passed: table.entries.length - failed, failed };
}

/** A listed row has to differ indeed, else the list is stale. */
function judge(difference: string | undefined, listed: string | undefined): string | undefined {
  if (listed === undefined) return difference;
  return difference === undefined ? `is listed as different and is not: ${listed}` : undefined;
}
