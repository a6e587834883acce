import { randomUUID } from 'node:crypto';
import { availableParallelism, cpus } from 'node:os';
import { readArguments } from '../scripts/script-arguments.ts';
import { openElasticsearchDatastore } from '../src/datastore/elasticsearch/elasticsearch-datastore.ts';
import { unrestricted } from '../src/datastore/port/read-access.ts';
import { compileQuery } from '../src/datastore/query-language/compile-query.ts';
import { hitDocument } from '../src/documents/kinds/hit.ts';
import { clearCluster } from '../src/testing/servers/clear-cluster.ts';
import { type SpawnedProgram, spawnProgram } from '../src/testing/spawn-program.ts';
import { benchAlert } from './alert-documents.ts';
import { oneWordSearch, publicQuery } from './fuzzy.ts';
import { measureLatency, type Send, sender, type Target } from './http-load.ts';
import { type Figure, GOAL_MISSED, reached, table } from './report.ts';

const HELP = `npm run bench:cluster -- [--engine opensearch] [--url http://127.0.0.1:9200] [--alerts 20000]

Measures the program on a search engine, and the engine alone with the same documents, mapping and requests in the same run. Prints a
table; exit status 3 when a goal was missed.
  --engine NAME   opensearch or elasticsearch
  --url URL       address of the engine
  --alerts N      alerts to load`;
const { values: flags } = readArguments(HELP, {
  engine: { type: 'string', default: 'opensearch' },
  url: { type: 'string', default: 'http://127.0.0.1:9200' },
  alerts: { type: 'string', default: '20000' },
});
const ALERTS = Number(flags.alerts);
const BATCH = 100;
const NOW = Date.now();
const PREFIX = `bench${randomUUID().slice(0, 8)}`;
const RAW = `${PREFIX}-raw`;
const FILTERS = ['howler.status:open', 'source.port:[30000 TO *]'];
const engine = { base: flags.url, headers: {} };

interface Stored {
  readonly _id: string;
  readonly _source: Readonly<Record<string, unknown>>;
}

async function inBatches(send: Send, count: number, workers: number, path: string, body: (from: number) => string) {
  let next = 0;
  const started = performance.now();
  const worker = async () => {
    while (next < count) {
      const from = next;
      next += BATCH;
      rejectErrors((await send('POST', path, body(from))).body);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return (count / (performance.now() - started)) * 1000;
}

/** A bulk request that was answered may have failed all the same. */
function rejectErrors(body: string): void {
  if (body.includes('"errors":true')) throw new Error(`the engine refused documents: ${body.slice(0, 500)}`);
}

const alerts = (from: number) => JSON.stringify(Array.from({ length: BATCH }, (_, i) => benchAlert(from + i, NOW)));

/** Every stored alert, as the program keeps it. */
async function storedAlerts(send: Send): Promise<Stored[]> {
  await send('POST', `/${PREFIX}-hit/_refresh`);
  const all: Stored[] = [];
  let after: unknown;
  do {
    const request = { size: 2000, sort: ['id'], ...(after === undefined ? {} : { search_after: after }) };
    const answer = await send('POST', `/${PREFIX}-hit/_search`, JSON.stringify(request));
    const { hits } = JSON.parse(answer.body).hits as { hits: (Stored & { sort: unknown })[] };
    all.push(...hits);
    after = hits.at(-1)?.sort;
  } while (after !== undefined);
  return all;
}

/** An empty index with the mapping and analysis of the program's own. */
async function makeRawIndex(send: Send): Promise<void> {
  const answer = JSON.parse((await send('GET', `/${PREFIX}-hit`)).body) as Record<
    string,
    { mappings: unknown; settings: { index: Record<string, unknown> } }
  >;
  const [made] = Object.values(answer);
  const { analysis, mapping, number_of_shards, number_of_replicas } = made?.settings.index ?? {};
  const body = {
    mappings: made?.mappings,
    settings: { index: { analysis, mapping, number_of_shards, number_of_replicas } },
  };
  await send('PUT', `/${RAW}`, JSON.stringify(body));
}

const bulkOf = (documents: readonly Stored[], newIds: boolean) =>
  documents
    .map(
      ({ _id, _source }) =>
        `${JSON.stringify({ create: { _id: newIds ? randomUUID() : _id } })}\n${JSON.stringify(_source)}\n`,
    )
    .join('');

/** The adapter itself, without HTTP, sign-in and the shape of answers: what the datastore port costs. */
async function measurePort(stored: readonly Stored[]) {
  const vendor = flags.engine === 'opensearch' ? 'opensearch' : 'elasticsearch';
  const hosts = [{ name: 'bench', url: flags.url }];
  const datastore = await openElasticsearchDatastore({ vendor, hosts, prefix: PREFIX });
  try {
    const hits = datastore.collection({ ...hitDocument, name: 'ported' });
    const everything = unrestricted('the bench runs without a user');
    const itemsOf = (from: number) =>
      stored.slice(from, from + BATCH).map(({ _source }) => {
        const { id: _, ...document } = _source as Record<string, unknown>;
        return { kind: 'save' as const, id: randomUUID(), document: document as typeof hitDocument.Type & object };
      });
    const batches = Array.from({ length: Math.ceil(stored.length / BATCH) }, (_, n) => itemsOf(n * BATCH));
    await hits.bulk(batches[0] ?? []);
    const bulk = await measureLatency(1, batches.length, (n) => hits.bulk(batches[n] ?? []));
    const request = {
      query: compileQuery('*:*', hitDocument),
      filters: FILTERS.map((text) => compileQuery(text, hitDocument)),
      sort: [{ field: 'event.created', order: 'desc' as const }],
      rows: 25,
    };
    const served = datastore.collection(hitDocument);
    await measureLatency(1, 100, () => served.search(request, everything));
    const search = await measureLatency(1, 300, () => served.search(request, everything));
    return { bulk, search };
  } finally {
    await datastore.close();
  }
}

async function measure(program: SpawnedProgram): Promise<Figure[]> {
  const target: Target = { base: program.alerts, headers: { authorization: `Basic ${btoa('admin:devkey:admin')}` } };
  const service = sender(target, 2);
  const raw = sender(engine, 2);
  await inBatches(service.send, 2000, 2, '/api/v1/hit/', (from) => alerts(ALERTS + from));
  // Bodies are made before the clock runs, here as for the engine alone.
  const bodies = Array.from({ length: Math.ceil(ALERTS / BATCH) }, (_, n) => alerts(n * BATCH));
  const ingest = await inBatches(service.send, ALERTS, 2, '/api/v1/hit/', (from) => bodies[from / BATCH] ?? '');
  const stored = await storedAlerts(raw.send);
  await makeRawIndex(raw.send);
  const lines = Array.from({ length: Math.ceil(stored.length / BATCH) }, (_, n) =>
    bulkOf(stored.slice(n * BATCH, (n + 1) * BATCH), false),
  );
  const rawIngest = await inBatches(raw.send, stored.length, 2, `/${RAW}/_bulk`, (from) => lines[from / BATCH] ?? '');
  await raw.send('POST', `/${RAW}/_refresh`);

  const sent = Array.from({ length: 60 }, (_, n) => alerts(2 * ALERTS + n * BATCH));
  const bulk = await measureLatency(1, 60, (n) => service.send('POST', '/api/v1/hit/', sent[n]));
  const rawBodies = Array.from({ length: 60 }, (_, n) => {
    // With few alerts the same ones come again, under new identifiers.
    const from = (n * BATCH) % stored.length;
    return bulkOf(stored.slice(from, from + BATCH), true);
  });
  const rawBulk = await measureLatency(1, 60, async (n) =>
    rejectErrors((await raw.send('POST', `/${RAW}/_bulk`, rawBodies[n])).body),
  );

  const question = JSON.stringify({
    query: '*:*',
    filters: FILTERS,
    rows: 25,
    sort: 'event.created desc',
    track_total_hits: true,
  });
  const ported = await measurePort(stored);
  const rawQuestion = JSON.stringify({
    query: {
      bool: { filter: [{ term: { 'howler.status': 'open' } }, { range: { 'source.port': { gte: 30_000 } } }] },
    },
    sort: [{ 'event.created': 'desc' }],
    size: 25,
    track_total_hits: true,
  });
  // A client reads what it gets.
  const ask = async () => JSON.parse((await service.send('POST', '/api/v1/search/hit', question)).body);
  const rawAsk = async () => JSON.parse((await raw.send('POST', `/${PREFIX}-hit/_search`, rawQuestion)).body);
  await measureLatency(1, 100, ask);
  await measureLatency(1, 100, rawAsk);
  const rawSearch = await measureLatency(1, 300, rawAsk);
  const search = await measureLatency(1, 300, ask);
  const rawFuzzy = await measureLatency(1, 60, async (n) => {
    const body = { query: publicQuery(oneWordSearch(n)), size: 100, track_total_hits: true };
    return JSON.parse((await raw.send('POST', `/${PREFIX}-hit/_search`, JSON.stringify(body))).body);
  });
  const fuzzy = await measureLatency(1, 60, async (n) => {
    const body = { query: oneWordSearch(n), indexes: ['hit'], rows: 100, track_total_hits: true };
    return JSON.parse((await service.send('POST', '/api/v2/fuzzy/search', JSON.stringify(body))).body);
  });
  const idOf = (n: number) => stored[(n * 7919) % stored.length]?._id ?? '';
  const rawGet = await measureLatency(1, 500, (n) => raw.send('GET', `/${RAW}/_doc/${idOf(n)}`));
  const get = await measureLatency(1, 500, (n) => service.send('GET', `/api/v1/hit/${idOf(n)}`));
  service.close();
  raw.close();
  return [
    {
      name: `datastore port: bulk of ${BATCH}, 1 connection, p50`,
      value: ported.bulk.p50,
      unit: 'ms',
      goal: 1.5 * rawBulk.p50,
      raw: rawBulk.p50,
    },
    {
      name: 'datastore port: search, 2 filters, newest 25, total, p50',
      value: ported.search.p50,
      unit: 'ms',
      goal: 1.5 * rawSearch.p50,
      raw: rawSearch.p50,
    },
    {
      name: `POST hit, batches of ${BATCH}, 2 connections`,
      value: ingest,
      unit: 'alerts/s',
      goal: 0.6 * rawIngest,
      raw: rawIngest,
    },
    {
      name: `POST hit with ${BATCH} alerts, 1 connection, p50`,
      value: bulk.p50,
      unit: 'ms',
      goal: 1.5 * rawBulk.p50,
      raw: rawBulk.p50,
    },
    {
      name: 'search, 2 filters, newest 25, total, p50',
      value: search.p50,
      unit: 'ms',
      goal: 1.5 * rawSearch.p50,
      raw: rawSearch.p50,
    },
    { name: 'the same, p99', value: search.p99, unit: 'ms', goal: 1.5 * rawSearch.p99, raw: rawSearch.p99 },
    {
      name: 'plain-text search of one word, 100 rows, p50',
      value: fuzzy.p50,
      unit: 'ms',
      goal: 1.5 * rawFuzzy.p50,
      raw: rawFuzzy.p50,
    },
    { name: 'GET hit by id, p50', value: get.p50, unit: 'ms', goal: 1.5 * rawGet.p50 + 1, raw: rawGet.p50 },
  ];
}

async function main(): Promise<void> {
  const program = await spawnProgram({
    flags: ['--demo=users'],
    environment: {
      SVC_DATASTORE_TYPE: flags.engine,
      SVC_DATASTORE_HOSTS: flags.url,
      SVC_DATASTORE_INDEX_PREFIX: PREFIX,
    },
  });
  try {
    const figures = await measure(program);
    console.log(
      `${new Date().toISOString().slice(0, 10)}; ${availableParallelism()} cores, ${cpus()[0]?.model}; ${flags.engine}; ${ALERTS} alerts\n`,
    );
    console.log(table(figures));
    if (!figures.every(reached)) process.exitCode = GOAL_MISSED;
  } finally {
    await program.stop();
    await clearCluster(flags.url, PREFIX);
  }
}

await main();
