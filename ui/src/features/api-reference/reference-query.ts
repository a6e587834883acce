import { send } from '../../api/connection.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { Described } from './routes.ts';

/** Paths of the descriptions that the services serve. */
const DOCUMENTS: Readonly<Record<Described, string>> = {
  alerts: '/services/alerts/api/apispec_v1.json',
  analysis: '/services/analysis/help/api/openapi.json',
  enrichment: '/services/enrichment/api/apispec_v1.json',
  operations: '/services/operations/v1/openapi.json',
  web: '/session/openapi.json',
};

/** The description of an interface; it changes only with the program. */
export const referenceQuery = (service: Described) => ({
  queryKey: ['reference', service],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<OpenApiDocument> => {
    const answer = await send(new Request(`${location.origin}${DOCUMENTS[service]}`, { signal }));
    return answer.json();
  },
  staleTime: Number.POSITIVE_INFINITY,
});
