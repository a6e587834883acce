import type { Agent } from 'node:http';

/** The part of a vendor's client that is used: its connections, without JSON, retries and errors. */
export interface VendorTransport {
  /** Sends once; every status is a response; throws the client's error, which `connectionError` reads. */
  send(request: RawRequest): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly bodyKind: 'json' | 'lines';
  readonly signal: AbortSignal;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A server as a vendor's client takes it. */
export interface VendorNode {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: Agent;
}

/** Keeps the clients from judging statuses, which is done in one place for both. */
const EVERY_ERROR_STATUS: number[] = Array.from({ length: 200 }, (_, index) => 400 + index);

/** Returns what both clients are made with: our retries, our time, our connections. */
export function clientOptions(nodes: readonly VendorNode[]) {
  const agents = new Map(nodes.map(({ url, agent }) => [url.href, agent]));
  return {
    nodes: nodes.map(({ url, headers }) => ({ url, headers: { ...headers } })),
    agent: ({ url }: { readonly url: URL }) => agents.get(url.href),
    maxRetries: 0,
    // Requests are ended by their signal; the clients' own time is only there to be longer.
    requestTimeout: 2 ** 31 - 1,
    resurrectStrategy: 'optimistic',
  } as const;
}

/** Returns a request as both clients take it. */
export function clientRequest(
  { method, path, query, body, bodyKind }: RawRequest,
  contentTypes: Readonly<Record<RawRequest['bodyKind'], string>>,
) {
  const contentType = body === undefined ? {} : { 'content-type': contentTypes[bodyKind] };
  return {
    params: { method, path, querystring: { ...query }, ...(body === undefined ? {} : { body }) },
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
