import createClient, { type Client } from 'openapi-fetch';
import { send } from './connection.ts';
import type { paths as AlertPaths } from './generated/alerts.ts';
import type { paths as AnalysisPaths } from './generated/analysis.ts';
import type { paths as EnrichmentPaths } from './generated/enrichment.ts';
import type { paths as OperationPaths } from './generated/operations.ts';
import type { paths as WebPaths } from './generated/web.ts';

const clientOf = <Paths extends object>(service: string): Client<Paths> =>
  createClient<Paths>({ baseUrl: `${location.origin}/services/${service}`, fetch: send });

/** Clients of the services, typed by docs/openapi. Every refusal is thrown as an ApiProblem. */
export const alerts = clientOf<AlertPaths>('alerts');
export const analysis = clientOf<AnalysisPaths>('analysis');
export const enrichment = clientOf<EnrichmentPaths>('enrichment');

/** Clients of what administrators do and of the session; their answers have no envelope. */
export const operations = clientOf<OperationPaths>('operations');
export const web = createClient<WebPaths>({ baseUrl: location.origin, fetch: send });

interface Enveloped<Answer> {
  readonly data?: { readonly api_response?: Answer };
  readonly response: Response;
}

/** Marks a search that is sent by POST as a read, which may be repeated after a failure. */
export const READ_HEADERS = { 'x-read': 'true' } as const;

/** Returns the data inside the envelope of the alert, analysis and enrichment services. */
export async function dataOf<Answer>(call: Promise<Enveloped<Answer>>): Promise<Answer> {
  const { data } = await call;
  return data?.api_response as Answer;
}

/** Returns the data and its version, which `If-Match` takes. */
export async function versionedDataOf<Answer>(
  call: Promise<Enveloped<Answer>>,
): Promise<{ readonly data: Answer; readonly version: string | undefined }> {
  const { data, response } = await call;
  return { data: data?.api_response as Answer, version: response.headers.get('etag') ?? undefined };
}
