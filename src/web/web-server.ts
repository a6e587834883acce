import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { PLAIN_ENVELOPE, plainFailure } from '../http/answers/plain-envelope.ts';
import { openApiDocument } from '../http/documentation/openapi.ts';
import { privilegedGuard } from '../http/guard.ts';
import type { Log } from '../http/request-log.ts';
import { commonSettings, createServiceServer, type ServiceServer } from '../http/service-server.ts';
import type { PreferencesService } from '../identity/accounts/preferences-service.ts';
import type { AuditLog } from '../identity/audit/audit-log.ts';
import type { CodeLogin, ProviderArrival } from '../identity/oauth/code-login.ts';
import type { ProviderRegistry } from '../identity/oauth/provider-registry.ts';
import { handCookie } from '../identity/sessions/handed-cookies.ts';
import type { WebIdentity } from '../identity/web-identity.ts';
import type { WebSessionLists } from '../identity/web-session-lists.ts';
import { PageFiles } from './pages/page-files.ts';
import { ISOLATION_HEADERS } from './pages/page-headers.ts';
import { PageServer } from './pages/page-server.ts';
import { ProxyServer } from './proxy/proxy-server.ts';
import { type ProxiedService, ServiceProxy } from './proxy/service-proxy.ts';
import { assertOwnPage, hostCheck, type RequestSource } from './request-origin.ts';
import { secondFactorRoutes } from './second-factors/second-factor-routes.ts';
import { ownSessionRoutes } from './session/own-session-routes.ts';
import { preferenceRoutes } from './session/preference-routes.ts';
import { readSessionCookie } from './session/session-cookie.ts';
import { sessionRoutes } from './session/session-routes.ts';
import { SIGN_IN_REFUSAL } from './session/session-schemas.ts';

export interface WebServerDependencies {
  readonly version: string;
  readonly settings: Config;
  readonly log: Log;
  readonly outage?: () => Error | undefined;
  readonly webIdentity: WebIdentity;
  readonly webSessionLists: WebSessionLists;
  readonly preferences: PreferencesService;
  readonly auditLog: AuditLog;
  readonly registry: ProviderRegistry;
  readonly codeLogin: Pick<CodeLogin, 'begin' | 'verify'>;
  readonly signedIn: (arrival: ProviderArrival) => Promise<void>;
  /** The services of this process by the name below `/services/`. */
  readonly services: Readonly<Record<string, { readonly app: ProxiedService }>>;
  /** Returns the addresses by which programs reach the services, by name. @param host of the browser */
  readonly addresses: (host: string) => Readonly<Record<string, string>>;
}

const DOCUMENTATION = {
  title: 'Triad web',
  description:
    'The session of a browser. Below `/services/<alerts|analysis|enrichment|operations>/` are the interfaces of the services, for callers with a session. Requests that change something need `Sec-Fetch-Site: same-origin`, which browsers send, or the `Origin` of this address; those that read from a service need the former or `X-Requested-With`.',
  failure: plainFailure(SIGN_IN_REFUSAL),
  security: {
    schemes: { session: { type: 'apiKey', in: 'cookie', name: 'triad', description: 'Session of a browser.' } },
    alternatives: [['session']],
  },
};
const DOCUMENT = '/session/openapi.json';
const SERVICES_PREFIX = '/services/';
const UI_FOLDER = join(import.meta.dirname, '..', '..', 'ui', 'dist');

/** Creates the server of pages, session, and the services below one origin. It does not listen yet. */
export function createWebServer(dependencies: WebServerDependencies): ServiceServer {
  const { version, settings, log, webIdentity: identity, registry, services } = dependencies;
  const { web, auth } = settings;
  const publicUrl = web.public_url ?? undefined;
  const server = createServiceServer({
    log,
    guard: privilegedGuard(identity),
    quota: undefined,
    audit: settings.ui.audit,
    envelope: PLAIN_ENVELOPE,
    ...commonSettings(settings.http),
    outage: dependencies.outage,
    publicUrl,
    // Services judge their own paths.
    keepsEmptySegments: (url) => url.startsWith(SERVICES_PREFIX),
  });
  const { app, routes, metrics } = server;
  const pages = new PageServer({ files: new PageFiles(web.ui_folder ?? UI_FOLDER), metrics, log });
  const apps = Object.fromEntries(Object.entries(services).map(([name, service]) => [name, service.app]));
  const proxy = new ProxyServer({ server, proxy: new ServiceProxy(apps), identity, log });
  const checkHost = hostCheck([settings.host, URL.parse(publicUrl ?? '')?.hostname]);

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    checkHost(request.host);
    const { raw, is404: isUnknown, method } = request;
    if (proxy.isUpgrade(request)) return proxy.upgrade(request, sourceOf(request), reply);
    const isForService = raw.url?.startsWith(SERVICES_PREFIX) === true;
    const isPage = isUnknown && !isForService;
    assertOwnPage(sourceOf(request), isForService ? 'service' : isPage ? 'page' : 'session');
    if (isForService) return proxy.forward(request, reply);
    if (isPage) return method === 'GET' || method === 'HEAD' ? pages.send(request, reply) : undefined;
    const cookie = readSessionCookie(request.place, request.headers.cookie);
    if (cookie !== undefined) handCookie(raw, cookie);
    return undefined;
  };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(ISOLATION_HEADERS);
    try {
      return await answer(request, reply);
    } catch (error) {
      // Hooks of routes, which log and count, do not run for addresses without one.
      if (request.is404) pages.log(request, reply);
      throw error;
    }
  });

  const modules = [
    sessionRoutes({
      ...dependencies,
      identity,
      signIn: {
        password: auth.internal.enabled,
        apiKey: auth.allow_apikeys,
        forgottenPassword: web.forgotten_password ?? null,
        // Those without a secret only verify tokens.
        providers: registry
          .all()
          .filter((provider) => provider.client('alerts').clientSecret !== undefined)
          .map(({ name }) => name),
      },
    }),
    ownSessionRoutes({ lists: dependencies.webSessionLists, identity }),
    preferenceRoutes({ preferences: dependencies.preferences }),
    secondFactorRoutes({ identity, settings }),
  ];
  for (const register of modules) register(app);
  app.get(
    DOCUMENT,
    { access: 'public', envelope: false, schema: { tags: ['documentation'], summary: 'This document' } },
    async () => openApiDocument({ ...DOCUMENTATION, version, routes: routes.all }),
  );
  return server;
}

/** Returns the parts of a request that say where it comes from, with our addresses. */
function sourceOf({ raw, method, headers, place, protocol, host }: FastifyRequest): RequestSource {
  return { method, url: raw.url ?? '', headers, places: [place, { ...place, origin: `${protocol}://${host}` }] };
}
