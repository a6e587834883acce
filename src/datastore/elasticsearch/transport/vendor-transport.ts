import { agentFor } from './engine-agents.ts';
import { addressOf, credentialHeaders, type EngineHost } from './engine-host.ts';
import type { EngineRequest } from './search-engine.ts';

/** The part of a vendor's client that is used: its connections, without JSON, retries and errors. */
export interface VendorTransport {
  /** Sends once; every status is a response; throws the client's error, which `connectionError` reads. */
  send(request: EngineRequest, signal: AbortSignal): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Keeps the clients from judging statuses, which is done in one place for both. */
const EVERY_ERROR_STATUS: number[] = Array.from({ length: 200 }, (_, index) => 400 + index);

/** Returns what both clients are made with: our retries, our time, our connections. */
export function clientOptions(hosts: readonly EngineHost[], certificates: readonly string[]) {
  const agents = new Map(hosts.map((host) => [addressOf(host).href, agentFor(host, certificates)]));
  return {
    nodes: hosts.map((host) => ({ url: addressOf(host), headers: { ...credentialHeaders(host) } })),
    agent: ({ url }: { readonly url: URL }) => agents.get(url.href),
    maxRetries: 0,
    // Requests are ended by their signal; the clients' own time is only there to be longer.
    requestTimeout: 2 ** 31 - 1,
    resurrectStrategy: 'optimistic',
  } as const;
}

export function clientRequest(
  { method = 'GET', path, query = {}, body: json, lines }: EngineRequest,
  contentTypes: { readonly json: string; readonly lines: string },
) {
  const jsonLines = lines?.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  const body = jsonLines?.join('') ?? JSON.stringify(json);
  const contentType = body === undefined ? {} : { 'content-type': lines ? contentTypes.lines : contentTypes.json };
  const querystring = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return {
    params: { method, path, querystring, ...(body === undefined ? {} : { body }) },
    options: { ignore: EVERY_ERROR_STATUS, headers: { accept: contentTypes.json, ...contentType } },
  };
}

/** Returns a response as it is read: the clients hand over text, which is parsed in one place. */
export function rawAnswer(
  status: number | null | undefined,
  headers: object | null | undefined,
  body: unknown,
): RawAnswer {
  return { status: status ?? 0, headers: { ...headers }, text: typeof body === 'string' ? body : '' };
}
