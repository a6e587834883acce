import type { AnalysisClient } from '../analysis-requests.ts';
import { type Latency, measureLatency } from '../http-load.ts';
import { domainNumber } from './result-documents.ts';

const ROWS = 25;
const DOMAIN = 'result.sections.tags.network.static.domain';

/** Reads that a person waits for, by name. `n` makes each of them ask for something else. */
export const SEARCHES: Readonly<Record<string, (client: AnalysisClient, n: number) => Promise<unknown>>> = {
  submissions: (client, n) =>
    client.post('/api/v4/search/submission/', {
      query: '*:*',
      filters: [`params.submitter:user${n % 10}`, 'max_score:[100 TO *]'],
      rows: ROWS,
      sort: 'times.submitted desc',
      track_total_hits: 1_000_000,
    }),
  tag: (client, n) => client.post('/api/v4/search/result/', { query: `${DOMAIN}:"${domainNumber(n)}"`, rows: ROWS }),
  facet: (client) => client.post('/api/v4/search/facet/result/response.service_name/', {}),
  'facet of a tag': (client) => client.post('/api/v4/search/facet/result/result.sections.tags.attribution.family/', {}),
  'facet under a filter': (client, n) =>
    client.post('/api/v4/search/facet/result/response.service_name/', { filters: [`result.score:>=${n}`] }),
  histogram: (client) =>
    client.post('/api/v4/search/histogram/result/created/', { start: 'now-90d/d', end: 'now', gap: '+1d' }),
  stats: (client) => client.post('/api/v4/search/stats/result/result.score/', {}),
  grouped: (client) => client.post('/api/v4/search/grouped/result/response.service_name/', { limit: 2 }),
  'words without a field': (client, n) => client.post('/api/v4/search/result/', { query: domainNumber(n), rows: ROWS }),
  'list of a user': (client, n) => client.get(`/api/v4/submission/list/user/admin/?rows=${ROWS}&offset=${n}`),
  'list of a group': (client, n) => client.get(`/api/v4/submission/list/group/TRIAGE/?rows=${ROWS}&offset=${n}`),
  'list of every group': (client, n) => client.get(`/api/v4/submission/list/group/ALL/?rows=${ROWS}&offset=${n}`),
};

export async function measureSearch(client: AnalysisClient, name: string, count: number): Promise<Latency> {
  const search = SEARCHES[name];
  if (search === undefined) throw new Error(`The bench knows no search ${name}.`);
  for (let warm = 0; warm < 5; warm++) await search(client, 1000 + warm);
  return measureLatency(1, count, (n) => search(client, n));
}
