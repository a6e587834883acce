import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Forbidden } from '../errors/errors.ts';
import type { Actor, ListenerName } from '../identity/actor.ts';
import type { AuditOrigin, RequestOrigin } from '../identity/audit/audit-log.ts';
import type { IdentifiedCaller, PresentedCredentials } from '../identity/authenticator.ts';
import { assertFullScope } from '../identity/credential-scope.ts';
import { handedCookie } from '../identity/sessions/handed-cookies.ts';
import { type ErrorStatuses, refusalOf } from './answers/error-status.ts';
import type { CallQuota } from './call-quota.ts';
import { credentialHeader, singleHeader, unreadArgument } from './input/single-header.ts';
import type { Log } from './request-log.ts';
import { actorOf, setActor, setCredential } from './request-state.ts';
import type { GuardedAccess } from './route-access.ts';
import type { ListedRoute } from './route-list.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Identifies the callers of a service and decides which routes they may call. */
export interface ServiceGuard {
  /** Verifies the credentials that the request presents. Throws the refusal of the service. */
  identify(request: FastifyRequest, access: GuardedAccess): Promise<Actor>;
  /** Rejects callers who may not call the route. @throws Forbidden in the wording of the service */
  authorise(actor: Actor, access: GuardedAccess, request: FastifyRequest): void;
  /** Returns the error that a refused caller gets; may set headers. Default: the error itself. */
  refuse?(error: Error, request: FastifyRequest, reply: FastifyReply): Error;
}

/**
 * Guards a service whose credentials have privileges: those of alerts and enrichment.
 * @param options.lentReads limits callers on behalf of a user without W to routes that read
 */
export function privilegedGuard(
  identity: { identify(presented: PresentedCredentials): Promise<IdentifiedCaller> },
  { lentReads = false }: { readonly lentReads?: boolean } = {},
): ServiceGuard {
  return {
    identify: async (request, access) => {
      const { actor, credential } = await identity.identify(presentedCredentials(request, access));
      setCredential(request, credential);
      return actor;
    },
    authorise: (actor, access, request) => {
      checkPrivilegedAccess(actor, access, request);
      if (lentReads) rejectLentWrites(actor, access, request);
    },
  };
}

/**
 * Rejects writes with a credential that was lent for reading. As in the public system, R is enough for
 * many routes that write: those list W, too, and are not read by GET.
 */
function rejectLentWrites(
  { method, privileges: held }: Actor,
  { privileges }: GuardedAccess,
  request: Pick<FastifyRequest, 'method'>,
): void {
  if (method !== 'on_behalf_of' || held.has('W') || request.method === 'GET' || request.method === 'HEAD') return;
  if (!privileges.includes('W')) return;
  throw new Forbidden('missing_privilege', 'You do not have access to this API.', { needs: ['W'] });
}

/** Rejects callers without one of the privileges, or without one of the roles, of a route. */
export function checkPrivilegedAccess(
  actor: Actor,
  { privileges, roles }: GuardedAccess,
  { path }: Pick<FastifyRequest, 'path'>,
): void {
  // A route that leaves privileges out is closed to these credentials.
  if (privileges === 'by_roles' || !holdsAny(privileges, actor.privileges)) {
    const options = privileges === 'by_roles' ? {} : { needs: privileges };
    throw new Forbidden('missing_privilege', 'You do not have access to this API.', options);
  }
  if (roles !== 'any' && !holdsAny(roles, actor.roles)) {
    const message = `${path} requires one of the following user types: ${roles.join(', ')}`;
    throw new Forbidden('missing_role', message, { needs: roles });
  }
}

/** Gives identity access to the headers of a request. */
export function presentedCredentials(request: FastifyRequest, access: GuardedAccess): PresentedCredentials {
  // The rows of a service read the same header one after the other.
  const known = new Map<string, string | undefined>();
  const header = (name: string) => {
    if (!known.has(name)) known.set(name, credentialHeader(request, name));
    return known.get(name);
  };
  return {
    ...requestOrigin(request),
    header,
    singleHeader: (name) => singleHeader(request, name),
    argument: (name) => unreadArgument(request, name),
    webSession: handedCookie(request.raw),
    isEncrypted: () => request.place.isEncrypted,
    checkXsrf: access.xsrf !== false,
    allowInactive: access.allowInactive === true,
  };
}

/** Returns caller and origin of a request for a security event; `by` is undefined on public routes. */
export function auditOrigin(request: FastifyRequest, service: ListenerName): AuditOrigin {
  const actor = actorOf(request);
  return { service, by: actor?.username, impersonator: actor?.impersonator, ...requestOrigin(request) };
}

/** Returns the origin of a request. Leaves the query out, which may hold credentials. */
export function requestOrigin(request: FastifyRequest): RequestOrigin {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'],
    requestId: request.id,
    call: `${request.method} ${request.path}`,
  };
}

export interface GuardDependencies {
  readonly guard: ServiceGuard;
  /** Limits calls; undefined: calls are not limited. */
  readonly quota: CallQuota | undefined;
  /** True if routes with `audit` write their line. */
  readonly audit: boolean;
  readonly log: Log;
  readonly metrics: ServiceMetrics;
  /** Returns the error of every request while the service cannot work. Default: none. */
  readonly outage?: (() => Error | undefined) | undefined;
  /** Statuses of the service's own, by code. Default: none. */
  readonly statuses?: ErrorStatuses | undefined;
}

/** Admits callers before the body is read: by credential, privilege, role and quota, in this order. */
export function routeGuard(
  dependencies: GuardDependencies,
  route: ListedRoute,
  access: GuardedAccess,
): onRequestHookHandler {
  const { guard, metrics } = dependencies;
  const audited = dependencies.audit && access.audit === true;
  const quota = access.quota === false ? undefined : dependencies.quota;

  return (request, reply, done) => {
    const outage = dependencies.outage?.();
    if (outage !== undefined) return done(outage);
    if (access.credential === 'first_frame' && request.ws) return done();
    guard
      .identify(request, access)
      .then((actor) => {
        guard.authorise(actor, access, request);
        if (access.fullScope) assertFullScope(actor, 'give out or take away rights');
        setActor(request, actor);
        metrics.callerAccepted();
        if (audited) writeAuditLine(dependencies.log, route, request, actor);
        return quota?.({ actor, access, reply });
      })
      .then(
        () => done(),
        (error: Error) => {
          const refusal = guard.refuse?.(error, request, reply) ?? error;
          metrics.callerRefused(refusalOf(refusal, dependencies.statuses)?.status ?? 500);
          done(refusal);
        },
      );
  };
}

/** Returns whether the roles of an actor allow a route. */
export function mayUse({ access }: ListedRoute, actor: Actor): boolean {
  if (access === 'public' || access.roles === 'any') return true;
  return access.roles.length === 0 || holdsAny(access.roles, actor.roles);
}

/** Returns true when one of the wanted items is held. */
export function holdsAny<T>(wanted: readonly T[], held: ReadonlySet<T>): boolean {
  for (const one of wanted) if (held.has(one)) return true;
  return false;
}

function writeAuditLine(log: Log, route: ListedRoute, request: FastifyRequest, actor: Actor): void {
  // Credentials that are allowed in the query stay out of the log.
  const { XSRF_TOKEN: _secret, ...query } = request.query as Readonly<Record<string, unknown>>;
  const { username: user, impersonator } = actor;
  const { id: requestId, method, path } = request;
  log.info({ audit: { user, impersonator, operation: route.operation, method, path, query }, requestId }, 'audit');
}
