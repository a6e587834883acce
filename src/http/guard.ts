import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { TooManyRequests } from '../errors/errors.ts';
import type { Actor } from '../identity/actor.ts';
import type { RequestQuota } from '../identity/quota.ts';
import { refusalOf } from './error-status.ts';
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
}

export interface GuardParts {
  readonly guard: ServiceGuard;
  /** Undefined: concurrent requests are not limited. */
  readonly quota: Pick<RequestQuota, 'enter' | 'leave'> | undefined;
  /** Whether routes with `audit` write their line. */
  readonly audit: boolean;
  readonly log: Log;
  readonly metrics: ServiceMetrics;
}

/**
 * The hook that lets callers in: credential, impersonation, privilege, role, audit, quota, in this order, before the body is read.
 * One for each route, so that a request looks nothing up.
 */
export function routeGuard(parts: GuardParts, route: ListedRoute, access: GuardedAccess): onRequestHookHandler {
  const { guard, metrics } = parts;
  const audited = parts.audit && access.audit === true;
  const quota = access.quota === false ? undefined : parts.quota;

  return (request, reply, done) => {
    guard
      .identify(request, access)
      .then((actor) => {
        guard.authorise(actor, access, request);
        setActor(request, actor);
        metrics.callerAccepted();
        if (audited) writeAuditLine(parts.log, route, request, actor);
        return quota === undefined ? undefined : takePlace(quota, parts.log, actor, reply);
      })
      .then(
        () => done(),
        (error: Error) => {
          metrics.callerRefused(refusalOf(error)?.status ?? 500);
          done(error);
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
  log.info(
    {
      audit: {
        user: actor.username,
        impersonator: actor.impersonator,
        operation: route.operation,
        method: request.method,
        path: request.path,
        query: { ...(request.query as object) },
      },
      requestId: request.id,
    },
    'audit',
  );
}

/** @throws TooManyRequests `quota_exceeded` */
async function takePlace(
  quota: Pick<RequestQuota, 'enter' | 'leave'>,
  log: Log,
  actor: Actor,
  reply: FastifyReply,
): Promise<void> {
  const place = await quota.enter(actor);
  if (place === undefined) {
    throw new TooManyRequests('quota_exceeded', `You've exceeded your maximum quota of ${actor.quota}`, {
      retryAfter: 1,
    });
  }
  // `close` comes after every answer, also when the caller went away before it.
  reply.raw.once('close', () => {
    quota.leave(actor, place).catch((error: unknown) => {
      log.warn(
        { err: error, user: actor.username },
        'a place in the request quota was not given back; it expires by itself',
      );
    });
  });
}
