import { benchAlert } from './alert-documents.ts';
import { type Send, sender, type Target } from './http-load.ts';

/** Headers of the demo's administrator, by API key. */
export const CREDENTIALS = { authorization: `Basic ${Buffer.from('admin:devkey:admin').toString('base64')}` };

const FILTERS = ['howler.status:open', 'source.port:[30000 TO *]'];

const post = (send: Send, path: string, body: unknown) => send('POST', path, JSON.stringify(body));

/** The measured requests. Changes resolve to the query that finds their effect. */
export const requests = {
  search: (send: Send) =>
    post(send, '/api/v1/search/hit', {
      query: '*:*',
      filters: FILTERS,
      rows: 25,
      sort: 'event.created desc',
      track_total_hits: true,
    }),
  facet: (send: Send) =>
    post(send, '/api/v1/search/facet/hit', {
      fields: ['howler.analytic', 'host.name'],
      query: '*:*',
      filters: FILTERS,
    }),
  histogram: (send: Send) =>
    post(send, '/api/v1/search/histogram/hit/event.created', {
      query: '*:*',
      start: 'now-90d',
      end: 'now',
      gap: '+1d',
      mincount: 0,
    }),
  async create(send: Send, number: number, now: number): Promise<string> {
    const message = `bench-create-${now}-${number}`;
    await post(send, '/api/v1/hit/?refresh=true', [{ ...benchAlert(number, now), message }]);
    return `message:"${message}"`;
  },
  async comment(send: Send, id: string, number: number): Promise<string> {
    await post(send, `/api/v1/hit/${id}/comments?refresh=true`, { value: `benchword${number} seen` });
    return `howler.id:${id} AND howler.comment.value:benchword${number}`;
  },
  async transition(send: Send, id: string): Promise<string> {
    await post(send, `/api/v1/hit/${id}/transition?refresh=true`, {
      transition: 'promote',
      data: { escalation: 'alert' },
    });
    return `howler.id:${id} AND howler.escalation:alert`;
  },
};

/** Throws unless the query finds a document. */
export async function expectFound(send: Send, query: string): Promise<void> {
  const answer = await post(send, '/api/v1/search/hit', { query, rows: 0 });
  const { api_response } = JSON.parse(answer.body) as { api_response: { total: number } };
  if (api_response.total < 1) throw new Error(`not found at once: ${query}`);
}

/** Identifiers of 500 stored alerts of the bench. */
export async function someIds(target: Target): Promise<readonly string[]> {
  const { send, close } = sender(target, 1);
  const answer = await post(send, '/api/v1/search/hit', { query: 'event.provider:bench', rows: 500, fl: 'howler.id' });
  close();
  const { api_response } = JSON.parse(answer.body) as { api_response: { items: { howler: { id: string } }[] } };
  return api_response.items.map((item) => item.howler.id);
}
