import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { handCookie } from '../../identity/sessions/handed-cookies.ts';
import { SERVICE_HEADERS } from '../pages/page-headers.ts';

/** A service of this process, as Fastify offers it. */
export interface ProxiedService {
  readonly routing: (request: IncomingMessage, response: ServerResponse) => void;
  /** Its own server, which takes upgrades. */
  readonly server: {
    emit(event: 'upgrade', request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
    listenerCount(event: 'upgrade'): number;
  };
}

/** A request for a service: its instance and the address below it. */
export interface ProxyTarget {
  readonly service: ProxiedService;
  /** `/services/alerts` */
  readonly prefix: string;
  /** Path with query, as the service knows it. */
  readonly url: string;
}

const BELOW = /^(\/services\/([a-z]+))((?:\/|\?).*)?$/s;
/** The one address of a service that takes upgrades here. */
const LIVE_EVENTS = /^\/services\/alerts\/socket\/v1\/connect(?:\?|$)/;

/** Headers by which a caller is identified, or identifies another. A page has the session alone. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);
/** Headers of the caller with `X-` that name no caller. */
const HARMLESS: ReadonlySet<string> = new Set([
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
  'x-requested-with',
]);
/** Headers of answers with an effect on other services of the host, other origins, or the browser. */
const WITHHELD = /^(?:set-cookie|www-authenticate|clear-site-data|access-control-.*|timing-allow-origin)$/;

/** Forwards requests below `/services/` to services of this process, with the browser's session. */
export class ServiceProxy {
  readonly #services: ReadonlyMap<string, ProxiedService>;

  /** @param services by the name below `/services/` */
  constructor(services: Readonly<Record<string, ProxiedService>>) {
    this.#services = new Map(Object.entries(services));
  }

  /** Returns the service of a request target, as it was sent; undefined when none has it. */
  find(url: string): ProxyTarget | undefined {
    const [, prefix = '', name = '', rest = ''] = BELOW.exec(url) ?? [];
    const service = this.#services.get(name);
    return service && { service, prefix, url: rest.startsWith('/') ? rest : `/${rest}` };
  }

  /** Returns the service that takes an upgrade to a websocket; undefined when it does so elsewhere. */
  findUpgrade(url: string): ProxyTarget | undefined {
    const found = LIVE_EVENTS.test(url) ? this.find(url) : undefined;
    return found !== undefined && found.service.server.listenerCount('upgrade') > 0 ? found : undefined;
  }

  /** Has the service answer the request. @param cookie of the session */
  forward(
    { service, prefix, url }: ProxyTarget,
    cookie: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    prepare(request, url, cookie);
    guardAnswer(response, prefix);
    service.routing(request, response);
  }

  /** Has the service answer the upgrade. */
  upgrade({ service, url }: ProxyTarget, cookie: string, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    prepare(request, url, cookie);
    service.server.emit('upgrade', request, socket, head);
  }
}

function prepare(request: IncomingMessage, url: string, cookie: string): void {
  const { headers, rawHeaders } = request;
  for (const name of Object.keys(headers)) if (isCredential(name)) delete headers[name];
  request.rawHeaders = rawHeaders.filter((_, at) => !isCredential((rawHeaders[at - (at % 2)] ?? '').toLowerCase()));
  request.url = url;
  handCookie(request, cookie);
}

function isCredential(name: string): boolean {
  return CREDENTIALS.has(name) || (name.startsWith('x-') && !HARMLESS.has(name));
}

/** Has every answer, however the service writes it, carry the headers of this origin. */
function guardAnswer(response: ServerResponse, prefix: string): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, ...given: WriteHeadArguments) => {
    const [reason, headers] = typeof given[0] === 'string' ? [given[0], given[1]] : [undefined, given[0] ?? given[1]];
    for (const [name, value] of headerEntries(headers)) if (value !== undefined) response.setHeader(name, value);
    for (const name of response.getHeaderNames()) if (WITHHELD.test(name)) response.removeHeader(name);
    const location = response.getHeader('location');
    // Addresses without a host are those of the service.
    if (typeof location === 'string' && /^\/(?!\/)/.test(location)) response.setHeader('location', prefix + location);
    for (const [name, value] of Object.entries(SERVICE_HEADERS)) response.setHeader(name, value);
    return reason === undefined ? writeHead(status) : writeHead(status, reason);
  };
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
type WriteHeadArguments = readonly (string | Headers | undefined)[];

function headerEntries(headers: string | Headers | undefined): (readonly [string, OutgoingHttpHeader | undefined])[] {
  if (headers === undefined || typeof headers === 'string') return [];
  if (!Array.isArray(headers)) return Object.entries(headers);
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[String(name), headers[at + 1]] as const] : []));
}
