import { type Adapter, askEach, encoded } from '../../adapter.ts';
import { count, flag, list, maybe, readAnswer, record, text, time } from '../../answer-shape.ts';
import { type Note, named, present } from '../../finding.ts';

const SCAN = record({
  _id: text,
  task: record({ time: maybe(time), url: maybe(text) }),
  page: maybe(
    record({ url: maybe(text), domain: maybe(text), ip: maybe(text), title: maybe(text), asnname: maybe(text) }),
  ),
  verdicts: maybe(record({ malicious: maybe(flag), overall: maybe(record({ malicious: flag })) })),
});
const ANSWER = record({ results: list(SCAN), total: count });
type Scan = ReturnType<typeof SCAN>;

/** Maximum number of scans in an answer. */
const MAX_SCANS = 100;
const FIELDS: Readonly<Record<string, string>> = {
  domain: 'domain',
  ipv4: 'ip',
  ipv6: 'ip',
  url: 'page.url',
  sha256: 'hash',
};

/** Searches the public scans of urlscan.io. It starts no scan. */
export const urlscan: Adapter = {
  name: 'urlscan',
  title: 'urlscan.io',
  reach: 'passive',
  documentation: 'https://docs.urlscan.io/apis/urlscan-openapi/search',
  types: Object.keys(FIELDS),
  url: 'https://urlscan.io/api/v1',
  key: { in: 'header', name: 'api-key', isOptional: true },
  // https://docs.urlscan.io/pages/api-rate-limits, without a key
  rateLimits: ['30/minute'],
  lookup: askEach(
    ({ type, value }, { limit }) => ({
      path: '/search/',
      query: { q: queryOf(type, value), size: String(Math.min(Math.max(limit, 1), MAX_SCANS)) },
    }),
    (answer, { type, value }, { limit }) => {
      const { results, total } = readAnswer(ANSWER, answer);
      if (results.length === 0) return [];
      const bad = results.filter(isMalicious);
      const opinion: Note = {
        about: 'Verdict',
        type: 'opinion',
        value: 'malicious',
        quantity: bad.length,
        confidence: 0.8,
        summary: `${bad.length} of the ${results.length} newest scans are classified as malicious`,
        timestamp: bad[0]?.task.time,
      };
      return [
        {
          count: total,
          link: `https://urlscan.io/search/#${encoded(queryOf(type, value))}`,
          notes: present([bad.length > 0 && opinion, ...results.slice(0, limit).map(scanNote)]),
        },
      ];
    },
  ),
};

/** Returns a query for the exact value. */
function queryOf(type: string, value: string): string {
  return `${FIELDS[type] ?? ''}:"${value.replace(/["\\]/g, '\\$&')}"`;
}

function isMalicious({ verdicts }: Scan): boolean {
  return verdicts?.malicious === true || verdicts?.overall?.malicious === true;
}

function scanNote({ _id: id, task, page }: Scan): Note {
  const address = page?.url ?? task.url ?? id;
  const about = named([page?.title ?? '', page?.ip ?? '', page?.asnname ?? '']);
  return {
    about: 'Scan',
    type: 'context',
    value: address,
    summary: `Scan of ${address}${about === '' ? '' : `: ${about}`}`,
    link: `https://urlscan.io/result/${encoded(id)}/`,
    timestamp: task.time,
  };
}
