import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Forbidden, TooManyRequests } from '../errors/errors.ts';
import type { Actor } from '../identity/actor.ts';
import type { Identity, PresentedCredentials } from '../identity/identity.ts';
import type { RequestQuota } from '../identity/quota.ts';
import { refusalOf } from './error-status.ts';
import type { Log } from './request-log.ts';
import { setActor } from './request-state.ts';
import type { RouteAccess } from './route-access.ts';
import type { ListedRoute } from './route-list.ts';
import type { ServiceMetrics } from './service-metrics.ts';

export interface GuardParts {
  readonly identity: Pick<Identity, 'authenticate'>;
  /** Undefined: concurrent requests are not limited. */
  readonly quota: Pick<RequestQuota, 'enter' | 'leave'> | undefined;
  /** Whether routes with `audit` write their line. */
  readonly audit: boolean;
  readonly log: Log;
  readonly metrics: ServiceMetrics;
}

type GuardedAccess = Exclude<RouteAccess, 'public'>;

/**
 * The hook that lets callers in: credential, impersonation, privilege, role, audit, quota, in this order, before the body is read.
 * One for each route, so that a request looks nothing up.
 */
export function routeGuard(parts: GuardParts, route: ListedRoute, access: GuardedAccess): onRequestHookHandler {
  const { identity, metrics } = parts;
  const allowInactive = access.allowInactive === true;
  const audited = parts.audit && access.audit === true;
  const quota = access.quota === false ? undefined : parts.quota;

  return (request, reply, done) => {
    identity
      .authenticate(presentedCredentials(request, allowInactive))
      .then((actor) => {
        checkAccess(access, actor, request.path);
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

function presentedCredentials(request: FastifyRequest, allowInactive: boolean): PresentedCredentials {
  const headers = request.headers;
  const impersonating = headers['x-impersonating'];
  return {
    authorization: headers.authorization,
    impersonating: Array.isArray(impersonating) ? impersonating[0] : impersonating,
    address: request.ip,
    userAgent: headers['user-agent'],
    requestId: request.id,
    allowInactive,
  };
}

/**
 * Privilege, then role: any of each is enough.
 * @throws Forbidden `missing_privilege`, `missing_role`
 */
function checkAccess(access: GuardedAccess, actor: Actor, path: string): void {
  if (!holdsAny(access.privileges, actor.privileges)) {
    throw new Forbidden('missing_privilege', 'You do not have access to this API.');
  }
  if (!holdsAny(access.roles, actor.roles)) {
    const roles = access.roles.join(', ');
    throw new Forbidden('missing_role', `${path} requires one of the following user types: ${roles}`);
  }
}

function holdsAny<T>(wanted: readonly T[], held: ReadonlySet<T>): boolean {
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
