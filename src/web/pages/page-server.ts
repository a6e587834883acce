import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotFound, Unavailable } from '../../errors/errors.ts';
import { type Log, writeRequestLine } from '../../http/request-log.ts';
import type { ServiceMetrics } from '../../http/service-metrics.ts';
import { readSessionCookie } from '../session/session-cookie.ts';
import { earlyLinks } from './early-links.ts';
import { isFresh, type PageFiles, versionFor } from './page-files.ts';
import { PAGE_HEADERS } from './page-headers.ts';

export interface PageServerDependencies {
  readonly files: PageFiles;
  readonly metrics: Pick<ServiceMetrics, 'requestCounter'>;
  readonly log: Log;
}

/** Files whose name has a digest of their content. */
const ASSETS = '/assets/';
/** Browsers keep them for a year without asking again. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

/** Sends the files of the built interface. Every address that a browser navigates to is its one page. */
export class PageServer {
  readonly #dependencies: PageServerDependencies;
  readonly #count: Readonly<Record<string, (status: number) => void>>;

  constructor(dependencies: PageServerDependencies) {
    this.#dependencies = dependencies;
    const { metrics } = dependencies;
    this.#count = { GET: metrics.requestCounter('GET', 'page'), HEAD: metrics.requestCounter('HEAD', 'page') };
  }

  /** Counts a request without a route, and writes its line, once it is answered. */
  log(request: FastifyRequest, reply: FastifyReply): void {
    reply.raw.once('finish', () => {
      this.#count[request.method]?.(reply.statusCode);
      writeRequestLine(this.#dependencies.log, request, reply);
    });
  }

  /** Answers a GET or HEAD. @throws NotFound `unknown_path` */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { files } = this.#dependencies;
    const path = pathOf(request.raw.url);
    const isAsset = path.startsWith(ASSETS);
    const isPage = !isAsset && isNavigation(request, path);
    const own = await files.find(path);
    const file = own ?? (isPage ? await files.index() : undefined);
    reply.headers(PAGE_HEADERS);
    if (file === undefined && !isPage) throw unknownPath(request);
    this.log(request, reply);
    if (file === undefined) return sendSentence(reply, notBuilt());
    const version = versionFor(file, request.headers['accept-encoding']);
    reply
      .header('cache-control', isAsset ? IMMUTABLE : REVALIDATE)
      .header('etag', version.etag)
      .header('vary', 'Accept-Encoding');
    if (own === undefined) this.#sendEarlyLinks(request, reply, path);
    if (isFresh(version, request.headers['if-none-match'])) return reply.code(304).send();
    if (version.encoding !== undefined) reply.header('content-encoding', version.encoding);
    return reply.type(file.type).send(version.bytes);
  }

  /** Names what the page will load. Without a session that is the sign-in, which the page names itself. */
  #sendEarlyLinks({ headers, place }: FastifyRequest, reply: FastifyReply, path: string): void {
    const { early } = this.#dependencies.files;
    if (early === undefined || readSessionCookie(place, headers.cookie) === undefined) return;
    const saysOrigin = headers['sec-fetch-site'] !== undefined;
    const links = earlyLinks(early, { path, acceptedLanguages: headers['accept-language'], saysOrigin });
    if (links !== undefined) reply.header('link', links);
  }
}

/** Returns the refusal of an address without a page, file or route. */
export function unknownPath({ path }: FastifyRequest): NotFound {
  return new NotFound('unknown_path', `There is nothing at "${path}".`);
}

/** Returns the path as it was sent, without the query. */
function pathOf(url = '/'): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Returns whether a browser wants to show the answer as a page. */
function isNavigation({ headers }: FastifyRequest, path: string): boolean {
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined) return mode === 'navigate';
  return path === '/' || headers.accept?.includes('text/html') === true;
}

/** Sends a refusal as text, which the browser shows in place of a page. */
function sendSentence(reply: FastifyReply, { code, message, retryAfter = 5 }: Unavailable): FastifyReply {
  reply.headers({ 'retry-after': String(retryAfter), 'cache-control': 'no-store', 'x-error-code': code });
  return reply.code(503).type('text/plain; charset=utf-8').send(`${message}\n`);
}

function notBuilt(): Unavailable {
  return new Unavailable(
    'interface_not_built',
    'The web interface is not built. Run "npm run ui:build" in the folder of the program, and load this page again. The services work without it.',
  );
}
