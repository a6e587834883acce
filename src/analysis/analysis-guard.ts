import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../config/config-schema.ts';
import { Forbidden, isTriadError } from '../errors/errors.ts';
import { holdsAny, presentedCredentials, type ServiceGuard } from '../http/guard.ts';
import { unreadParameter } from '../http/input/single-header.ts';
import type { GuardedAccess } from '../http/route-access.ts';
import type { Actor } from '../identity/actor.ts';
import type { AnalysisActor } from '../identity/actor-factory.ts';
import type { AnalysisIdentity } from '../identity/analysis-identity.ts';
import { assertSelf } from '../identity/credential-scope.ts';
import type { AccessDenials } from './access-denials.ts';
import { forgottenCookies } from './session-cookies.ts';

export interface AnalysisGuardDependencies {
  readonly identity: Pick<AnalysisIdentity, 'authenticate'>;
  readonly denials: AccessDenials;
  readonly settings: Pick<Settings['analysis']['ui'], 'read_only' | 'tos'>;
}

/** Names that every caller may put where a user name belongs. */
const SHARED_NAMES: ReadonlySet<string> = new Set(['__global__', '__workflow__']);

/** Checks read-only mode, credential, terms, role, named user, in order (contract/analysis.md 1.6). */
export function analysisGuard({ identity, denials, settings }: AnalysisGuardDependencies): ServiceGuard {
  const termsRequired = settings.tos !== null && settings.tos !== '';
  return {
    async identify(request, access) {
      if (settings.read_only && access.readOnly === false) {
        throw new Forbidden('service_read_only', 'API not allowed in read-only mode');
      }
      return await identity.authenticate(presentedCredentials(request, access));
    },
    authorise(actor, access, request) {
      if (termsRequired && access.beforeTerms !== true && !(actor as AnalysisActor).agreesWithTerms) {
        throw new Forbidden('terms_not_agreed', 'Agree to Terms of Service before you can make any API calls');
      }
      checkRoles(actor, access, request.path);
      if (access.inOwnName) assertSelf(actor, 'change what they sign in with');
      checkUsername(actor, request);
    },
    refuse(error, request, reply) {
      if (isTriadError(error) && error.kind === 'unauthenticated') forgetCookies(reply);
      return denials(error, request.path, request.ip);
    },
  };
}

/** The caller of a route that is not public. */
export function callerOf(request: FastifyRequest): AnalysisActor {
  return request.actor as AnalysisActor;
}

/** Takes the cookies of a session back. */
export function forgetCookies(reply: FastifyReply): void {
  reply.header('set-cookie', forgottenCookies(reply.request.headers));
}

/** Any of the roles is enough. @throws Forbidden `missing_role` */
function checkRoles(actor: Actor, { roles }: GuardedAccess, path: string): void {
  if (roles === 'any' || holdsAny(roles, actor.roles)) return;
  const message = `API ${path} requires one of the following roles: ${roles.join(', ')}`;
  throw new Forbidden('missing_role', message, { needs: roles });
}

/** Requires that the address names the caller, unless they administer users: `not_own_account`. */
function checkUsername(actor: Actor, request: FastifyRequest): void {
  const username = unreadParameter(request, 'username');
  if (username === undefined || username === actor.username || actor.roles.has('administration')) return;
  if (SHARED_NAMES.has(username) || username.toLowerCase() === '__current__') return;
  throw new Forbidden('not_own_account', 'Your username does not match requested username', { response: {} });
}
