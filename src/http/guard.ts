import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Actor } from '../identity/actor.ts';
import { assertFullScope } from '../identity/credential-scope.ts';
import { type ErrorStatuses, refusalOf } from './answers/error-status.ts';
import type { CallQuota } from './call-quota.ts';
import type { Log } from './request-log.ts';
import { setActor } from './request-state.ts';
import type { GuardedAccess } from './route-access.ts';
import type { ListedRoute } from './route-list.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** How a service establishes who is calling, and what it asks of them. Each of the three has one. */
export interface ServiceGuard {
  /** Verifies the credentials that the request brings. Throws what the service answers when they are not good. */
  identify(request: FastifyRequest, access: GuardedAccess): Promise<Actor>;
  /** Whether they may call the route. Throws Forbidden with the words of the service. */
  authorise(actor: Actor, access: GuardedAccess, request: FastifyRequest): void;
  /** What a caller who was not let in is told instead of the error itself; may set headers. Default: the error. */
  refuse?(error: Error, request: FastifyRequest, reply: FastifyReply): Error;
}

export interface GuardDependencies {
  readonly guard: ServiceGuard;
  /** Undefined: calls are not limited. */
  readonly quota: CallQuota | undefined;
  /** Whether routes with `audit` write their line. */
  readonly audit: boolean;
  readonly log: Log;
  readonly metrics: ServiceMetrics;
  /** The error of every request, while the service cannot work. Default: none. */
  readonly outage?: (() => Error | undefined) | undefined;
  /** Statuses of the service's own, by code. Default: none. */
  readonly statuses?: ErrorStatuses | undefined;
}

/**
 * The hook that lets callers in: credential, impersonation, privilege, role, audit, quota, in this order, before the body is read.
 * One for each route, so that a request looks nothing up.
 */
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
    guard
      .identify(request, access)
      .then((actor) => {
        guard.authorise(actor, access, request);
        if (access.fullScope) assertFullScope(actor, 'give out or take away rights');
        setActor(request, actor);
        metrics.callerAccepted();
        if (audited) writeAuditLine(dependencies.log, route, request, actor);
        return quota?.begin({ actor, access, reply });
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

/** Whether one of the wanted is held. */
export function holdsAny<T>(wanted: readonly T[], held: ReadonlySet<T>): boolean {
  for (const one of wanted) if (held.has(one)) return true;
  return false;
}

function writeAuditLine(log: Log, route: ListedRoute, request: FastifyRequest, actor: Actor): void {
  // Credentials that are allowed in the query stay out of the log.
  const { XSRF_TOKEN: _secret, ...query } = request.query as Readonly<Record<string, unknown>>;
  log.info(
    {
      audit: {
        user: actor.username,
        impersonator: actor.impersonator,
        operation: route.operation,
        method: request.method,
        path: request.path,
        query,
      },
      requestId: request.id,
    },
    'audit',
  );
}
