import { lookup } from 'node:dns';
import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as sendHttp } from 'node:http';
import { Agent as HttpsAgent, request as sendHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Forbidden, InvalidInput, isTriadError, messageOf, Unavailable } from '../../errors/errors.ts';
import { outboundAddressTest } from '../../identity/limits/public-addresses.ts';

export interface OutboundRequest {
  /** Address with `http:` or `https:`. */
  readonly url: string;
  /** Default GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds until the headers of the answer are there, and between two pieces of its content. */
  readonly timeout: number;
  /** False: the certificate of the server is not verified. Default true. */
  readonly verify?: boolean;
  /** Certificates of authorities in PEM, in addition to the usual ones. */
  readonly ca?: string;
  /** Address of a proxy, which the request goes through; the check of the address is then the proxy's. */
  readonly proxy?: string;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Address that answered, after redirects. */
  readonly url: string;
  /** Read it to the end, or destroy it. */
  readonly content: Readable;
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that stay with the server that they were meant for. */
const PRIVATE_HEADERS = /^(?:authorization|cookie|proxy-authorization|x-api-?key|x-auth.*)$/i;

/**
 * Sends requests to other servers for users, at public addresses alone.
 * The address is checked when it connects, so that no name that changes its address, and no redirect, leads into the
 * own network.
 */
export class OutboundClient {
  readonly #isAllowed: (address: string) => boolean;

  /** @throws InvalidInput `invalid_setting` for a network that is not one */
  constructor({ allowedNetworks }: { readonly allowedNetworks: readonly string[] }) {
    this.#isAllowed = outboundAddressTest(allowedNetworks);
  }

  /**
   * Sends a request and follows up to five redirects.
   * @throws InvalidInput `invalid_url`; Forbidden `address_not_allowed`; Unavailable `server_unreachable`
   */
  async request(request: OutboundRequest): Promise<OutboundAnswer> {
    let next = request;
    for (let redirects = 0; ; redirects += 1) {
      const url = readUrl(next.url);
      const message = await this.#send(url, next);
      const { statusCode: status = 0, headers } = message;
      if (!REDIRECTS.has(status) || headers.location === undefined) {
        return { status, headers, url: url.href, content: message };
      }
      message.destroy();
      if (redirects === MAX_REDIRECTS) throw unreachable(url, `it redirects more than ${MAX_REDIRECTS} times`);
      next = redirected(next, url, headers.location, status);
    }
  }

  async #send(url: URL, request: OutboundRequest): Promise<IncomingMessage> {
    const { method = 'GET', headers = {}, body, timeout, verify = true, ca, proxy, signal } = request;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (proxy === undefined && isIP(host) !== 0) this.#assertAllowed(host, url);
    const isSecure = url.protocol === 'https:';
    const proxyEnv = proxy === undefined ? undefined : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
    const agentOptions = proxyEnv === undefined ? {} : { proxyEnv };
    const options = {
      method,
      headers: {
        'user-agent': 'triad',
        ...headers,
        ...(body === undefined ? {} : { 'content-length': lengthOf(body) }),
      },
      timeout,
      ...(signal === undefined ? {} : { signal }),
      ...(proxy === undefined ? { lookup: this.#lookup(url) } : {}),
      ...(isSecure ? { rejectUnauthorized: verify, ...(ca === undefined ? {} : { ca }) } : {}),
      agent: isSecure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions),
    };
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = (isSecure ? sendHttps : sendHttp)(url, options, resolve);
        sent.on('timeout', () => sent.destroy(unreachable(url, `it did not answer within ${timeout} ms`)));
        sent.on('error', reject);
        sent.end(body);
      });
    } catch (error) {
      if (isTriadError(error)) throw error;
      if (signal?.aborted) throw signal.reason;
      throw unreachable(url, messageOf(error), error);
    }
  }

  /** Resolves a name and refuses it unless every address that may be connected to is allowed. */
  #lookup(url: URL): LookupFunction {
    return (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, '', 0);
        try {
          for (const { address } of addresses) this.#assertAllowed(address, url);
        } catch (refusal) {
          return callback(refusal as Error, '', 0);
        }
        const [first] = addresses;
        if (options.all === true) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family ?? 4);
      });
    };
  }

  #assertAllowed(address: string, url: URL): void {
    if (this.#isAllowed(address)) return;
    throw new Forbidden(
      'address_not_allowed',
      `The server "${url.host}" has the address ${address}, which is not public. Add its network to analysis.outbound.allowed_networks to allow it.`,
    );
  }
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '') return url;
  throw new InvalidInput('invalid_url', `"${text.slice(0, 200)}" is not an address with http:// or https://.`);
}

/** Returns the request that a redirect asks for; secrets go to no other server. */
function redirected(request: OutboundRequest, from: URL, location: string, status: number): OutboundRequest {
  const to = URL.parse(location, from.href);
  if (to === null) throw unreachable(from, 'it redirects to something that is not an address');
  const entries = Object.entries(request.headers ?? {});
  const isSame = to.origin === from.origin;
  const headers = Object.fromEntries(entries.filter(([name]) => isSame || !PRIVATE_HEADERS.test(name)));
  const { body, ...others } = request;
  const keepsMethod = status === 307 || status === 308 || /^(?:GET|HEAD)$/i.test(request.method ?? 'GET');
  if (!keepsMethod) return { ...others, headers, url: to.href, method: 'GET' };
  return { ...others, headers, url: to.href, ...(body === undefined || !isSame ? {} : { body }) };
}

function lengthOf(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}

function unreachable(url: URL, reason: string, cause?: unknown): Unavailable {
  return new Unavailable('server_unreachable', `The server "${url.host}" does not answer: ${reason}.`, { cause });
}
