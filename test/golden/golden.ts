import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { GoldenEntry, GoldenTable } from '../../src/datastore/conformance/searches/golden-rows.ts';
import {
  fillGoldenCollection,
  goldenDefinition,
  goldenDifference,
  goldenTitle,
  readGoldenTable,
} from '../../src/datastore/conformance/searches/golden-table.ts';
import { openElasticsearchDatastore } from '../../src/datastore/elasticsearch/elasticsearch-datastore.ts';
import { openEmbeddedDatastore } from '../../src/datastore/embedded/embedded-datastore.ts';
import type { Datastore } from '../../src/datastore/port/datastore.ts';
import { Differences } from './differences.ts';
import { GOLDEN_SERVERS, type GoldenServer, goldenServer, isGoldenServer } from './golden-servers.ts';
import { QueryStringServer } from './query-string.ts';

const USAGE = `Usage: npm run golden -- FOLDER [--engine ENGINE | --datastore URL] [--query-string]

Puts recorded questions to a datastore and compares the answers. FOLDER holds mapping.json, documents.ndjson, queries.ndjson and
aggregations.ndjson and, where rows may differ, differences.json.

  --engine ENGINE   embedded (default), or a server that test/servers started: ${Object.keys(GOLDEN_SERVERS).join(', ')}
  --datastore URL   a search engine, whichever it is
  --query-string    ask the server with the text of the queries, past our own reading of it (differences-<engine>.json)`;

process.exitCode = await main(process.argv.slice(2));

interface Asked {
  readonly difference: (entry: GoldenEntry) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      engine: { type: 'string' },
      datastore: { type: 'string' },
      'query-string': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const { engine = 'embedded', datastore: url, 'query-string': asText = false, help = false } = values;
  const [folder, ...more] = positionals;
  const isKnown = engine === 'embedded' || isGoldenServer(engine);
  const isPossible = isKnown && !(asText && engine === 'embedded' && url === undefined);
  if (help || folder === undefined || more.length > 0 || !isPossible) {
    console.error(USAGE);
    return help ? 0 : 2;
  }
  const server = url === undefined ? (isGoldenServer(engine) ? goldenServer(engine) : undefined) : await serverAt(url);
  const table = await readGoldenTable(folder);
  const asked = asText && server ? await askedAsText(server, folder) : await askedOfDatastore(server, table);
  const list = asText
    ? Differences.of(folder, url === undefined ? engine : await serverName(url))
    : Differences.of(folder);
  const entries = asText ? table.entries.filter(({ file }) => file === 'queries.ndjson') : table.entries;
  let failed = 0;
  try {
    for (const entry of entries) {
      const problem = judge(await asked.difference(entry), list.reason(entry.file, entry.line));
      if (problem === undefined) continue;
      failed += 1;
      console.log(`${entry.file}:${entry.line}: ${goldenTitle(entry.row)}: ${problem}`);
    }
  } finally {
    await asked.close();
  }
  console.log(`${entries.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function askedAsText(server: GoldenServer, folder: string): Promise<Asked> {
  const opened = await QueryStringServer.open(server, folder);
  return {
    difference: async ({ row }) => ('kind' in row ? undefined : opened.difference(row)),
    close: () => opened.close(),
  };
}

async function askedOfDatastore(server: GoldenServer | undefined, table: GoldenTable): Promise<Asked> {
  const { datastore, remove } = await openDatastore(server);
  try {
    const collection = datastore.collection(goldenDefinition(table, 'golden'));
    await fillGoldenCollection(collection, table);
    return {
      difference: ({ row }) => goldenDifference(collection, row),
      close: async () => {
        await remove();
        await datastore.close();
      },
    };
  } catch (error) {
    await datastore.close();
    throw error;
  }
}

/** A datastore of its own, and how what it leaves on a server is removed. */
async function openDatastore(
  server: GoldenServer | undefined,
): Promise<{ datastore: Datastore; remove: () => Promise<void> }> {
  if (server === undefined) {
    const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'golden' });
    return { datastore, remove: async () => {} };
  }
  const prefix = `golden${randomBytes(6).toString('hex')}`;
  const hosts = [{ name: 'golden', url: server.url }];
  const datastore = await openElasticsearchDatastore({
    vendor: server.vendor,
    hosts,
    prefix,
    transportTimeout: 60_000,
  });
  return {
    datastore,
    remove: async () => {
      for (const { name } of await datastore.admin.list(`${prefix}-*`)) await datastore.admin.delete(name);
    },
  };
}

interface Greeting {
  readonly version: { readonly number: string; readonly distribution?: string };
}

async function serverAt(url: string): Promise<GoldenServer> {
  const { version } = await greetingOf(url);
  return { vendor: version.distribution === 'opensearch' ? 'opensearch' : 'elasticsearch', url };
}

/** Returns the name of the server in the names of files with differences. */
async function serverName(url: string): Promise<string> {
  const { version } = await greetingOf(url);
  return version.distribution === 'opensearch' ? 'opensearch' : `elasticsearch${version.number.split('.')[0]}`;
}

async function greetingOf(url: string): Promise<Greeting> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered with status ${answer.status}.`);
  return (await answer.json()) as Greeting;
}

/** A listed row has to differ indeed, else the list is stale. */
function judge(difference: string | undefined, listed: string | undefined): string | undefined {
  if (listed === undefined) return difference;
  return difference === undefined ? `is listed as different and is not: ${listed}` : undefined;
}
