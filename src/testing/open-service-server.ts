import { TooManyRequests, Unauthenticated } from '../errors/errors.ts';
import type { Envelope } from '../http/answers/envelope.ts';
import { concurrentCalls } from '../http/call-quota.ts';
import { checkPrivilegedAccess } from '../http/guard.ts';
import type { ServiceApp } from '../http/input/request-input.ts';
import { createServiceServer, type ServiceServerDependencies } from '../http/service-server.ts';
import type { Actor, Privilege, Role } from '../identity/actor.ts';
import { sortedJson } from '../json/sorted-json.ts';

const envelope: Envelope = {
  success: (data, _status, warnings) =>
    sortedJson({ data: data === undefined ? 'plain success' : data, ...(warnings.length === 0 ? {} : { warnings }) }),
  failure: ({ code, message, response }) => sortedJson({ code, message, response }),
};

interface Options
  extends Partial<
    Pick<
      ServiceServerDependencies,
      'arrivalRules' | 'audit' | 'bodyLimit' | 'finalSlash' | 'statuses' | 'trustedProxies' | 'wording'
    >
  > {
  readonly actor?: Actor;
  readonly places?: Parameters<typeof concurrentCalls>[0]['places'];
}

/**
 * Opens a server with `routes`; any `Authorization` authenticates `actor`.
 * `logged` gets the log entries.
 */
export function serverWith(routes: (app: ServiceApp) => void, options: Options = {}) {
  const {
    actor,
    audit = false,
    bodyLimit = 1000,
    places,
    finalSlash = 'optional',
    statuses,
    trustedProxies = [],
    wording,
    arrivalRules,
  } = options;
  const logged: Record<string, unknown>[] = [];
  const write = (entry: object) => {
    logged.push(entry as Record<string, unknown>);
  };
  const log = { info: write, warn: write, error: write };
  const refusal = () => new TooManyRequests('quota_exceeded', 'Too many at once.');
  const server = createServiceServer({
    log,
    finalSlash,
    statuses,
    guard: {
      async identify({ headers: { authorization } }) {
        if (authorization === undefined) throw new Unauthenticated('no_credentials', 'No Authorization header present');
        if (actor === undefined) throw new TooManyRequests('no_actor', 'The fixture has no actor.');
        return actor;
      },
      authorise: checkPrivilegedAccess,
    },
    quota: places === undefined ? undefined : concurrentCalls({ places, log, refusal }),
    audit,
    envelope,
    bodyLimit,
    trustedProxies,
    ...(wording === undefined ? {} : { wording }),
    ...(arrivalRules === undefined ? {} : { arrivalRules }),
  });
  routes(server.app);
  return { ...server, logged };
}

/** Returns a user with this privilege and user type only, impersonated by `otto`. */
export function actorWith(privilege: Privilege, role: Role): Actor {
  return {
    username: 'anna',
    impersonator: 'otto',
    privileges: new Set([privilege]),
    roles: new Set([role]),
    quota: 25,
  } as unknown as Actor;
}
