import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { GoldenEntry, GoldenQuery } from '../../src/datastore/conformance/searches/golden-rows.ts';
import { readGoldenTable } from '../../src/datastore/conformance/searches/golden-table.ts';
import { Differences } from './differences.ts';
import { GOLDEN_SERVERS, type GoldenServerName, goldenServer } from './golden-servers.ts';
import { QueryStringServer } from './query-string.ts';

const FOLDER = fileURLToPath(new URL('lucene', import.meta.url));
/** Questions that are asked together, to spare the waiting between them. */
const AT_ONCE = 10;

/**
 * The servers read the text of queries as recorded, but for the rows that are listed: the record is
 * worth following.
 */
for (const name of Object.keys(GOLDEN_SERVERS) as GoldenServerName[]) {
  const { unavailable } = goldenServer(name);
  describe(`the query_string of ${name}`, unavailable === undefined ? {} : { skip: unavailable }, () => {
    let server: QueryStringServer | undefined;
    before(async () => {
      server = await QueryStringServer.open(goldenServer(name), FOLDER);
    });
    after(() => server?.close());

    it('answers every recorded query as recorded, or differs as listed', async () => {
      assert.ok(server);
      const differences = Differences.of(FOLDER, name);
      const { entries } = await readGoldenTable(FOLDER);
      const queries = entries.filter(({ file }) => file === 'queries.ndjson');
      const problems: string[] = [];
      for (let from = 0; from < queries.length; from += AT_ONCE) {
        const asked = queries.slice(from, from + AT_ONCE);
        problems.push(...(await Promise.all(asked.map((entry) => problemOf(server, differences, entry)))).flat());
      }
      assert.deepEqual(problems, []);
      assert.ok(queries.length > 1700);
    });
  });
}

async function problemOf(
  server: QueryStringServer | undefined,
  differences: Differences,
  { file, line, row }: GoldenEntry,
): Promise<readonly string[]> {
  const query = row as GoldenQuery;
  const difference = await server?.difference(query);
  const listed = differences.reason(file, line);
  if (difference === undefined) return listed === undefined ? [] : [`${file}:${line} is listed and does not differ`];
  return listed === undefined ? [`${file}:${line} ${query.q}: ${difference}`] : [];
}
