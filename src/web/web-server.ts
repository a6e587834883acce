import type { IncomingMessage } from 'node:http';
import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { messageOf, NotFound, Unavailable } from '../errors/errors.ts';
import { openApiDocument } from '../http/documentation/openapi.ts';
import { privilegedGuard } from '../http/guard.ts';
import { type Log, writeRequestLine } from '../http/request-log.ts';
import { createServiceServer, type ServiceServer } from '../http/service-server.ts';
import type { CodeLogin, OAuthSignIn } from '../identity/oauth/code-login.ts';
import type { ProviderRegistry } from '../identity/oauth/provider-registry.ts';
import { handCookie } from '../identity/sessions/handed-cookies.ts';
import type { WebIdentity } from '../identity/web-identity.ts';
import { sessionEnded } from '../identity/web-session-row.ts';
import { isFresh, PageFiles, versionFor } from './page-files.ts';
import { ISOLATION_HEADERS, PAGE_HEADERS } from './page-headers.ts';
import { assertOwnPage, assertOwnUpgrade, hostCheck } from './request-origin.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { type Passage, type PassedService, ServicePassage } from './service-passage.ts';
import { presentedCookie } from './session-cookie.ts';
import { sessionRoutes } from './session-routes.ts';
import { WEB_ENVELOPE, WEB_FAILURE, webEnvelopeSchema } from './web-envelope.ts';

export interface WebServerDependencies {
  readonly version: string;
  readonly settings: Config;
  readonly log: Log;
  readonly outage?: () => Error | undefined;
  readonly webIdentity: WebIdentity;
  readonly registry: ProviderRegistry;
  readonly codeLogin: Pick<CodeLogin, 'begin' | 'finish'>;
  readonly signedIn: (signIn: OAuthSignIn) => Promise<void>;
  /** The services of this process by the name below `/services/`. */
  readonly services: Readonly<Record<string, { readonly app: PassedService }>>;
  /** Returns the addresses by which programs reach the services, by name. */
  readonly addresses: () => Readonly<Record<string, string>>;
}

const DOCUMENTATION = {
  title: 'Triad web',
  description:
    'The session of a browser. Below `/services/<alerts|analysis|enrichment|operations>/` are the interfaces of the services, for callers with a session. Requests that change something need `Sec-Fetch-Site: same-origin`, which browsers send by themselves, or the `Origin` of this address.',
  envelope: webEnvelopeSchema,
  failure: WEB_FAILURE,
  security: {
    schemes: { session: { type: 'apiKey', in: 'cookie', name: 'triad', description: 'Session of a browser.' } },
    alternatives: [['session']],
  },
};
const DOCUMENT = '/session/openapi.json';
const SERVICES_PREFIX = '/services/';
/** Files whose name has a digest of their content. */
const ASSETS = '/assets/';
const UI_FOLDER = join(import.meta.dirname, '..', '..', 'ui', 'dist');
/** Header of requests that a page makes by itself, which are no use of the session. */
const BACKGROUND = 'x-background';

/** An upgrade to a websocket on its way through the checks of requests. */
interface Upgrade {
  readonly socket: Socket;
  readonly head: Buffer;
  readonly response: ServerResponse;
}

/** Creates the server of pages, session, and the services below one origin. It does not listen yet. */
export function createWebServer(dependencies: WebServerDependencies): ServiceServer {
  const { version, settings, log, webIdentity: identity, registry } = dependencies;
  const { web, auth } = settings;
  const publicUrl = web.public_url ?? undefined;
  const server = createServiceServer({
    log,
    guard: privilegedGuard(identity),
    quota: undefined,
    audit: settings.ui.audit,
    envelope: WEB_ENVELOPE,
    bodyLimit: settings.http.max_body_size,
    metricsPrefix: settings.http.metrics_prefix,
    trustedProxies: settings.http.trusted_proxies,
    outage: dependencies.outage,
    publicUrl,
    // Services judge their own paths.
    keepsEmptySegments: (url) => url.startsWith(SERVICES_PREFIX),
  });
  const { app, routes, metrics, arrivals } = server;
  const services = Object.entries(dependencies.services).map(([name, { app: service }]) => [name, service] as const);
  const passage = new ServicePassage(Object.fromEntries(services));
  const files = new PageFiles(web.ui_folder ?? UI_FOLDER);
  const checkHost = hostCheck([settings.host, URL.parse(publicUrl ?? '')?.hostname]);
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();

  const passOn = async (found: Passage, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const cookie = presentedCookie(request.place, request.headers.cookie);
    if (cookie !== undefined && request.headers[BACKGROUND] === undefined) noteUse(cookie);
    arrivals.stream(request.raw);
    reply.hijack();
    passage.pass(found, cookie, request.raw, reply.raw);
    return reply;
  };
  const noteUse = (cookie: string) =>
    void identity.sessions
      .use(cookie)
      .catch((error: unknown) => log.warn({ reason: messageOf(error) }, 'the use of a session was not noted'));

  const upgrade = async ({ socket, head, response }: Upgrade, request: FastifyRequest, reply: FastifyReply) => {
    const { place, headers, raw } = request;
    const found = passage.findUpgrade(raw.url ?? '');
    if (found === undefined) throw unknownPath(request);
    assertOwnUpgrade(judged(request));
    const cookie = presentedCookie(place, headers.cookie);
    if (cookie === undefined || (await identity.sessionOf(cookie)) === undefined) throw sessionEnded();
    reply.hijack();
    response.detachSocket(socket);
    if (!passage.upgrade(found, cookie, raw, socket, head)) socket.destroy();
    return reply;
  };

  /** Sends a file of the interface, or the page of every address. @throws NotFound `unknown_path` */
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = pathOf(request.raw.url);
    const isAsset = path.startsWith(ASSETS);
    const file =
      (await files.find(path)) ?? (isNavigation(request, path) && !isAsset ? await files.index() : undefined);
    reply.headers(PAGE_HEADERS);
    if (file === undefined) throw isNavigation(request, path) && !isAsset ? notBuilt() : unknownPath(request);
    const chosen = versionFor(file, request.headers['accept-encoding']);
    reply.raw.once('finish', () => {
      metrics.requestCounter(request.method, 'page')(reply.statusCode);
      writeRequestLine(log, request, reply);
    });
    reply
      .header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('etag', chosen.etag)
      .header('vary', 'Accept-Encoding');
    if (isFresh(chosen, request.headers['if-none-match'])) return reply.code(304).send();
    if (chosen.encoding !== undefined) reply.header('content-encoding', chosen.encoding);
    return reply.type(file.type).send(chosen.bytes);
  };

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(ISOLATION_HEADERS);
    checkHost(request.host);
    const { raw, method } = request;
    const upgrading = upgrades.get(raw);
    if (upgrading !== undefined) return upgrade(upgrading, request, reply);
    const { url = '/' } = raw;
    const reads = request.is404 && !url.startsWith(SERVICES_PREFIX) ? 'anything' : 'own_data';
    assertOwnPage(judged(request), reads);
    if (url.startsWith(SERVICES_PREFIX)) {
      const found = passage.find(url);
      if (found === undefined) throw unknownPath(request);
      return passOn(found, request, reply);
    }
    if (request.is404) return method === 'GET' || method === 'HEAD' ? sendPage(request, reply) : undefined;
    const cookie = presentedCookie(request.place, request.headers.cookie);
    if (cookie !== undefined) handCookie(raw, cookie);
    return undefined;
  });
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node removes its own listener before an upgrade.
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    upgrades.set(request, { socket, head, response });
    response.assignSocket(socket);
    // A refused upgrade is an answer, after which the connection ends.
    response.once('finish', () => socket.end());
    app.routing(request, response);
  });

  sessionRoutes({
    identity,
    codeLogin: dependencies.codeLogin,
    signedIn: dependencies.signedIn,
    signIn: {
      password: auth.internal.enabled,
      apiKey: auth.allow_apikeys,
      // Those without a secret only verify tokens.
      providers: registry
        .all()
        .filter((provider) => provider.client('alerts').clientSecret !== undefined)
        .map(({ name }) => name),
    },
    addresses: dependencies.addresses,
  })(app);
  secondFactorRoutes({ identity, settings })(app);
  app.get(
    DOCUMENT,
    { access: 'public', envelope: false, schema: { tags: ['documentation'], summary: 'This document' } },
    async () => openApiDocument({ ...DOCUMENTATION, version, routes: routes.all }),
  );
  return server;
}

/** Returns the parts of a request that say where it comes from, with our addresses. */
function judged({ method, headers, place, protocol, host }: FastifyRequest) {
  return { method, headers, places: [place, { ...place, origin: `${protocol}://${host}` }] };
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

function unknownPath({ path }: FastifyRequest): NotFound {
  return new NotFound('unknown_path', `There is nothing at "${path}".`);
}

function notBuilt(): Unavailable {
  return new Unavailable(
    'interface_not_built',
    'The web interface is not built. Run "npm run ui:build" in the folder of the program, and load this page again. The services work without it.',
  );
}
