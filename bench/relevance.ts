import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../scripts/script-arguments.ts';
import { boostsOf, fuzzyQuery } from '../src/alerts/search/fuzzy/fuzzy-query.ts';
import { openEmbeddedDatastore } from '../src/datastore/embedded/embedded-datastore.ts';
import { unrestricted } from '../src/datastore/port/read-access.ts';
import { hitDocument } from '../src/documents/kinds/hit.ts';
import { clearCluster } from '../src/testing/servers/clear-cluster.ts';
import { spawnProgram } from '../src/testing/spawn-program.ts';
import { benchAlert } from './alert-documents.ts';
import { CREDENTIALS } from './alert-requests.ts';
import { publicQuery } from './fuzzy.ts';
import { type Send, sender } from './http-load.ts';
import { markdown } from './report.ts';

const HELP = `npm run bench:relevance -- [--engine elasticsearch] [--url http://127.0.0.1:9209] [--golden test/golden/alerts]

Compares the order of 200 plain-text searches with that of a search engine that is asked as the public system asks it: on the embedded
engine and on the adapter of that engine, over the same documents. Prints the table of docs/decisions/0026-relevance.md.
  --engine NAME   opensearch or elasticsearch
  --url URL       address of the engine
  --golden PATH   folder of recorded conversations, whose plain-text searches are repeated`;
const { values: flags } = readArguments(HELP, {
  engine: { type: 'string', default: 'elasticsearch' },
  url: { type: 'string', default: 'http://127.0.0.1:9209' },
  golden: { type: 'string', default: join(import.meta.dirname, '..', 'test', 'golden', 'alerts') },
});
const SEARCHES = 200;
const ALERTS = 2000;
const PREFIX = `order${randomUUID().slice(0, 8)}`;
const MAX_FOUND = 5000;

/** Scores of the documents found, the best first. */
type Ranking = ReadonlyMap<string, number>;

interface Recorded {
  readonly searches: readonly string[];
  readonly alerts: readonly unknown[];
}

function recorded(): Recorded {
  const searches = new Set<string>();
  const alerts: unknown[] = [];
  for (const name of readdirSync(flags.golden).filter((name) => name.startsWith('fuzzy-'))) {
    const { steps } = JSON.parse(readFileSync(join(flags.golden, name), 'utf8')) as {
      steps: { request: { path: string; body?: unknown } }[];
    };
    for (const { request } of steps) {
      const { path, body } = request;
      if (path.startsWith('/api/v1/hit?') && Array.isArray(body)) alerts.push(...body.filter((one) => one?.howler));
      const query = (body as { query?: unknown } | undefined)?.query;
      if (path === '/api/v2/fuzzy/search' && typeof query === 'string' && query.trim() !== '')
        searches.add(query.trim());
    }
  }
  searches.delete('*');
  return { searches: [...searches].filter((text) => text.length < 200), alerts };
}

/** Returns words and values of the alerts, some of them cut or misspelled. */
function* madeSearches(): Iterable<string> {
  for (let n = 0; ; n += 1) {
    const alert = benchAlert((n * 97) % ALERTS, 0) as {
      message: string;
      source: { ip: string };
      user: { name: string };
    };
    const words = alert.message.split(' ');
    const word = words[n % words.length] ?? '';
    yield [
      word,
      alert.source.ip,
      words.slice(-2).join(' '),
      word.slice(1),
      `${word.slice(0, 3)}x${word.slice(4)}`,
      alert.user.name,
    ][n % 6] ?? '';
  }
}

/** Returns undefined where the engine refuses the query of the public system for its clauses. */
async function engineRanking(send: Send, text: string): Promise<Ranking | undefined> {
  const body = { query: publicQuery(text), size: MAX_FOUND, _source: false };
  const answer = await send('POST', `/${PREFIX}-hit/_search`, JSON.stringify(body)).catch((error: unknown) => {
    if (String(error).includes('too_many_nested_clauses')) return undefined;
    throw error;
  });
  if (answer === undefined) return undefined;
  const { hits } = JSON.parse(answer.body) as {
    hits: { hits: { _id: string; _score: number }[] };
  };
  return new Map(hits.hits.map(({ _id, _score }) => [_id, _score]));
}

async function routeRanking(send: Send, query: string): Promise<Ranking> {
  const body = { query, indexes: ['hit'], rows: MAX_FOUND };
  const answer = JSON.parse((await send('POST', '/api/v2/fuzzy/search', JSON.stringify(body))).body) as {
    api_response: { items: { howler: { id: string }; _score: number }[] };
  };
  return new Map(answer.api_response.items.map(({ howler, _score }) => [howler.id, _score]));
}

/** Sums of what is the same, each with the number of its comparisons. */
class Agreement {
  readonly #sums = new Map<string, { same: number; of: number }>();

  add(theirs: Ranking, ours: Ranking): void {
    this.#note(
      'same documents',
      Number(theirs.size === ours.size && [...ours.keys()].every((id) => theirs.has(id))),
      1,
    );
    const common = [...ours].filter(([id]) => theirs.has(id));
    const scores = [...theirs.values()];
    const [first] = ours.keys();
    if (first === undefined || scores.length === 0) return;
    // Equal scores may come in any order.
    this.#note('same first document', Number(isAtLeast(theirs.get(first), scores[0])), 1);
    const top = [...ours.keys()].slice(0, 10);
    const limit = scores[Math.min(10, scores.length) - 1];
    this.#note('of the first 10 documents', top.filter((id) => isAtLeast(theirs.get(id), limit)).length, top.length);
    const ranked = common.slice(0, 200).map(([id, score]) => [score, theirs.get(id) ?? 0] as const);
    const [clear, any] = [1.1, 1.000_01].map((factor) => inOrder(ranked, factor));
    if (clear)
      this.#note('pairs in the same order, of those whose scores differ by more than 10 %', clear.same, clear.of);
    if (any && any.of > 0) this.#note("Kendall's τ of documents with different scores", (2 * any.same) / any.of - 1, 1);
  }

  shown(): ReadonlyMap<string, string> {
    const entries = [...this.#sums].map(([what, { same, of }]): [string, string] => {
      return [what, what.startsWith('Kendall') ? (same / of).toFixed(3) : `${((100 * same) / of).toFixed(1)} %`];
    });
    return new Map(entries);
  }

  #note(what: string, same: number, of: number): void {
    const sum = this.#sums.get(what) ?? { same: 0, of: 0 };
    this.#sums.set(what, { same: sum.same + same, of: sum.of + of });
  }
}

function isAtLeast(score = 0, limit = 0): boolean {
  return score >= limit * 0.999_99;
}

/** Counts pairs of our score and theirs where theirs differ by the factor. Our ties count half. */
function inOrder(ranked: readonly (readonly [number, number])[], factor: number) {
  let [same, of] = [0, 0];
  for (const [ours, theirs] of ranked) {
    for (const [otherOurs, otherTheirs] of ranked) {
      if (theirs <= otherTheirs * factor) continue;
      of += 1;
      if (ours > otherOurs) same += 1;
      else if (ours === otherOurs) same += 0.5;
    }
  }
  return { same, of };
}

async function storedAlerts(send: Send): Promise<{ _id: string; _source: Record<string, unknown> }[]> {
  await send('POST', `/${PREFIX}-hit/_refresh`);
  const answer = await send('POST', `/${PREFIX}-hit/_search`, JSON.stringify({ size: MAX_FOUND }));
  return JSON.parse(answer.body).hits.hits;
}

async function main(): Promise<void> {
  const { searches, alerts } = recorded();
  const wanted = new Set(searches.slice(0, SEARCHES));
  for (const text of madeSearches()) if (wanted.add(text).size >= SEARCHES) break;
  const program = await spawnProgram({
    flags: ['--demo=users'],
    environment: {
      SVC_DATASTORE_TYPE: flags.engine,
      SVC_DATASTORE_HOSTS: flags.url,
      SVC_DATASTORE_INDEX_PREFIX: PREFIX,
    },
  });
  const embedded = await openEmbeddedDatastore({ folder: 'memory', prefix: PREFIX });
  const service = sender({ base: program.alerts, headers: CREDENTIALS }, 1);
  const engine = sender({ base: flags.url, headers: {} }, 1);
  try {
    const made = Array.from({ length: ALERTS }, (_, n) => benchAlert(n, Date.now()));
    const all = [...alerts, ...made];
    for (let at = 0; at < all.length; at += 100) {
      await service.send('POST', '/api/v1/hit/', JSON.stringify(all.slice(at, at + 100)));
    }
    const hits = embedded.collection(hitDocument);
    const stored = await storedAlerts(engine.send);
    await hits.bulk(
      stored.map(({ _id, _source: { id: _, ...document } }) => {
        return { kind: 'save' as const, id: _id, document: document as typeof hitDocument.Type & object };
      }),
    );
    const everything = unrestricted('the bench runs without a user');
    const [ofEmbedded, ofAdapter] = [new Agreement(), new Agreement()];
    for (const text of wanted) {
      const theirs = await engineRanking(engine.send, text);
      if (theirs === undefined) {
        wanted.delete(text);
        continue;
      }
      const query = fuzzyQuery(text, hitDocument, boostsOf(['hit']), new Date());
      const found = await hits.search({ query, byRelevance: true, rows: MAX_FOUND }, everything);
      ofEmbedded.add(theirs, new Map(found.items.map(({ id }, at) => [id, found.scores?.[at] ?? 0])));
      ofAdapter.add(theirs, await routeRanking(service.send, text));
    }
    const [first, second] = [ofEmbedded.shown(), ofAdapter.shown()];
    console.log(`${wanted.size} searches that the engine takes, over ${stored.length} alerts\n`);
    const rows = [...first].map(([what, value]) => [what, value, second.get(what) ?? '']);
    console.log(markdown([[`compared with ${flags.engine}`, 'embedded', 'adapter'], ...rows]));
  } finally {
    service.close();
    engine.close();
    await embedded.close();
    await program.stop();
    await clearCluster(flags.url, PREFIX);
  }
}

await main();
