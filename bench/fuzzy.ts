import { boostsOf } from '../src/alerts/search/fuzzy/fuzzy-query.ts';
import { tokenKind } from '../src/alerts/search/fuzzy/token-kinds.ts';
import { hitDocument } from '../src/documents/kinds/hit.ts';
import { benchAlert } from './alert-documents.ts';
import { type Latency, latencyOf, type Send } from './http-load.ts';

/** A plain-text search of each kind, by name; `n` varies it, so that no answer comes from a cache. */
const SEARCHES: Readonly<Record<string, (n: number) => string>> = {
  'word, few': (n) => `host${n % 3000}.example`,
  'word, many': (n) => ['powershell', 'rundll32', 'svchost', 'python', 'sshd', 'bash'][n % 6] ?? '',
  'two words': (n) => `user${n % 5000} unusual`,
  'beginning of a word': (n) => `powersh${'el'.slice(0, n % 3)}`,
  'misspelled word': (n) => ['powershall', 'rundlI32', 'svchoost', 'pyton', 'unusaul', 'conected'][n % 6] ?? '',
  'part of a value': (n) => text(n).hash.slice(7, 17),
  'unknown word': (n) => `quetzal${n}x`,
  identifier: (n) => `ws-${String(n % 20_000).padStart(5, '0')}`,
  address: (n) => text(n).address,
  'unknown address': (n) => `203.0.113.${n % 256}`,
  hash: (n) => text(n).hash,
  domain: (n) => `host${n % 3000}.example.com`,
};

function text(n: number): { readonly address: string; readonly hash: string } {
  const { source, file } = benchAlert(n * 7919, 0) as { source: { ip: string }; file: { hash: { sha256: string } } };
  return { address: source.ip, hash: file.hash.sha256 };
}

/** Measures plain-text searches one after the other, those of all kinds by turns. */
export async function measureFuzzy(send: Send, turns: number) {
  const times = new Map<string, number[]>();
  for (let n = -2; n < turns; n += 1) {
    for (const [kind, query] of Object.entries(SEARCHES)) {
      const started = performance.now();
      await send('POST', '/api/v2/fuzzy/search', JSON.stringify({ query: query(n + 2) }));
      if (n < 0) continue;
      times.set(kind, [...(times.get(kind) ?? []), performance.now() - started]);
    }
  }
  const kinds: Record<string, Latency> = Object.fromEntries([...times].map(([kind, of]) => [kind, latencyOf(of)]));
  return { kinds, all: latencyOf([...times.values()].flat()) };
}

/** Returns one-word searches of each kind by turns: OpenSearch refuses two words over all fields. */
export function oneWordSearch(n: number): string {
  const kinds = Object.entries(SEARCHES).flatMap(([kind, of]) => (kind === 'two words' ? [] : of));
  return kinds[n % kinds.length]?.(n) ?? '';
}

/** Returns the query of the public system. */
export function publicQuery(text: string): object {
  const kind = tokenKind(text);
  const fields = [...boostsOf(['hit'])].filter(([path]) => hitDocument.fieldByPath.has(path));
  const boosted = fields.map(([path, boost]) => `${path}^${boost}`);
  const ofKind = (wanted: string) =>
    fields.filter(([path]) => hitDocument.fieldByPath.get(path)?.searchKind === wanted);
  const best = { multi_match: { query: text, fields: boosted, type: 'best_fields', lenient: true } };
  const phrase = { multi_match: { query: text, fields: boosted, type: 'phrase', lenient: true } };
  const similar = { multi_match: { query: text, fields: boosted, fuzziness: 'AUTO', lenient: true } };
  const begun = ofKind('text').map(([path, boost]) => ({ match_phrase_prefix: { [path]: { query: text, boost } } }));
  const addresses = ofKind('ip').map(([path, boost]) => ({ term: { [path]: { value: text, boost } } }));
  const escaped = text.replace(/[\^"~*?:\\/()[\]{}\-!+]/g, '\\$&').replace(/&&|\|\|/g, '\\$&');
  const anywhere = (query: string) => ({ query_string: { query, boost: 0.5, lenient: true } });
  const clauses: Readonly<Record<string, readonly object[]>> = {
    address: [...addresses, best, anywhere(escaped)],
    hash: [best, anywhere(escaped)],
    text: [similar, ...begun, anywhere(`*${escaped}*`)],
  };
  return { bool: { should: clauses[kind] ?? [phrase, best, anywhere(escaped)] } };
}
