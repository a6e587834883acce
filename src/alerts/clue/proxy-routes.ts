import { Type } from 'typebox';
import { NotFound } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import type { EnrichmentProxy } from './enrichment-proxy.ts';

const ACCESS: GuardedAccess = { privileges: ['R'], roles: ['admin', 'user'], audit: true, quota: false };
const PREFIX = '/api/v1/clue/';

const tags = ['clue'];
const params = pathParameters({ '*': ['Path of the enrichment service.', 'api/v1/lookup/types/'] });
const refusals = [502, 504] as const;
const Reply = Type.Unknown({ description: '`api_response` of the enrichment service.' });
const Body = Type.Unknown({
  description: 'Body of the route of the enrichment service.',
  examples: [[{ type: 'domain', value: 'example.org' }]],
});

/** Serves `/api/v1/clue/`, through which web pages of the alert service call the enrichment service. */
export const proxyRoutes =
  ({ proxy }: { proxy: Pick<EnrichmentProxy, 'forward'> }): RouteModule =>
  (app) => {
    for (const method of ['GET', 'POST'] as const) {
      app.route({
        method,
        url: `${PREFIX}*`,
        access: ACCESS,
        wildcard: 'path',
        schema: {
          tags,
          summary: method === 'GET' ? 'Read from the enrichment service' : 'Send to the enrichment service',
          params,
          ...(method === 'GET' ? {} : { body: Body }),
          response: { 200: Reply },
          refusals,
        },
        handler: async ({ actor, raw, body, headers }, reply) => {
          const gone = new AbortController();
          reply.raw.once('close', () => gone.abort());
          const { url = '' } = raw;
          if (!url.startsWith(PREFIX)) throw new NotFound('unknown_path', `There is no ${url} here.`);
          const target = url.slice(PREFIX.length);
          const { authorization } = headers;
          return proxy.forward(actor, { method, target, body, authorization, signal: gone.signal });
        },
      });
    }
  };
