import {
  ANALYSIS_ROLES,
  ANALYSIS_ROLES_OF_PRIVILEGES,
  type AnalysisRole,
} from '../../documents/kinds/analysis-roles.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../actor.ts';
import type { AuditLog, AuditOrigin } from '../audit/audit-log.ts';
import { assertSelf } from '../credential-scope.ts';
import { isOwnPage, type RequestPlace } from '../oauth/return-address.ts';
import type { AllowedClient, OwnTokens } from './own-tokens.ts';

/** The request of a client, as the browser of the user brings it. Empty strings count as missing. */
export interface PermissionRequest {
  /** User name of the client. */
  readonly clientId?: string | undefined;
  /** Recipient of the token. */
  readonly redirectUrl?: string | undefined;
  /** Roles separated by commas, which take precedence over the scope. */
  readonly roles?: string | undefined;
  /** `r`, `w` or `rw`. */
  readonly scope?: string | undefined;
  /** Name of the server of the client, for people. */
  readonly server?: string | undefined;
  /** Its page is the one on which the user agreed. */
  readonly place: RequestPlace;
}

interface PermissionRequestsDependencies {
  readonly ownTokens: Pick<OwnTokens, 'issue' | 'forget'>;
  readonly audit: AuditLog;
}

const SCOPES: Readonly<Record<string, readonly AnalysisRole[]>> = {
  r: ANALYSIS_ROLES_OF_PRIVILEGES.R,
  w: ANALYSIS_ROLES_OF_PRIVILEGES.W,
  rw: [...ANALYSIS_ROLES_OF_PRIVILEGES.R, ...ANALYSIS_ROLES_OF_PRIVILEGES.W],
};
/** Stored scope of roles that were chosen one by one. */
const CHOSEN = 'c';
const MAX_LENGTH = 256;
const FAILED = { response: { success: false } };

/** Lets users permit clients to call on their behalf (contract/analysis.md section 2.6). */
export class PermissionRequests {
  readonly #dependencies: PermissionRequestsDependencies;

  constructor(dependencies: PermissionRequestsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Permits the client to do what the user may do with the credential that they use. Returns the next
   * address of the browser: the redirect address with `token`, or with `error` and `error_description`.
   * @throws Forbidden `foreign_page` when the request comes from a page of neither this service nor the client; `not_in_own_name`
   * @throws InvalidInput `redirect_missing`, `insecure_redirect`, `invalid_scope`, `too_many_clients`
   */
  async grant(actor: Actor, request: PermissionRequest, origin: AuditOrigin): Promise<string> {
    assertSelf(actor, 'say who may call in their name');
    const redirect = readRedirect(request);
    rejectForeignPages(request, redirect);
    const { clientId, server } = request;
    const { scope, roles: wanted } = readScope(request);
    if (!clientId || !server || wanted.length === 0 || Math.max(clientId.length, server.length) > MAX_LENGTH) {
      return withParameters(redirect, {
        error: 'missing_arguments',
        error_description:
          'client_id, roles and server are required arguments. You can also use scope to define a set of roles.',
      });
    }
    const roles = wanted.filter((role) => actor.roles.has(role));
    if (roles.length === 0) {
      return withParameters(redirect, { error: 'access_denied', error_description: 'You have none of these roles.' });
    }
    const client: AllowedClient = { client_id: clientId, scope, netloc: redirect.host, server, roles: [...roles] };
    const { token, isNew } = await this.#dependencies.ownTokens.issue(actor.username, client);
    if (isNew) {
      const event = { event: 'impersonation_allowed', user: actor.username, by: undefined } as const;
      this.#dependencies.audit.write({ ...origin, ...event, azp: clientId, target: redirect.host, after: roles });
    }
    return withParameters(redirect, { token });
  }

  /** Withdraws a permission. @throws NotFound `token_id_missing`; Forbidden `not_in_own_name` */
  async withdraw(actor: Actor, tokenId: string, origin: AuditOrigin): Promise<void> {
    assertSelf(actor, 'say who may call in their name');
    const client = await this.#dependencies.ownTokens.forget(actor.username, tokenId);
    if (!client) throw new NotFound('token_id_missing', 'Token ID does not exist', FAILED);
    const event = { event: 'impersonation_withdrawn', user: actor.username, by: undefined } as const;
    this.#dependencies.audit.write({ ...origin, ...event, azp: client.client_id, target: client.netloc });
  }
}

/** @throws InvalidInput `redirect_missing`, `insecure_redirect` */
function readRedirect({ redirectUrl }: PermissionRequest): URL {
  if (!redirectUrl) throw new InvalidInput('redirect_missing', 'Redirect_url missing', FAILED);
  const url = URL.parse(redirectUrl);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw new InvalidInput('insecure_redirect', 'Insecure redirect-url, ignored...', FAILED);
  }
  url.hash = '';
  return url;
}

/** @throws Forbidden `foreign_page` */
function rejectForeignPages({ place }: PermissionRequest, redirect: URL): void {
  const page = URL.parse(place.referer ?? '')?.origin;
  if (page !== undefined && (page === redirect.origin || isOwnPage(place, page))) return;
  throw new Forbidden('foreign_page', 'Forbidden', FAILED);
}

/** @throws InvalidInput `invalid_scope` */
function readScope({ roles, scope = '' }: PermissionRequest): { scope: string; roles: readonly AnalysisRole[] } {
  if (roles) {
    const named = roles.split(',').map((role) => role.trim());
    return { scope: CHOSEN, roles: ANALYSIS_ROLES.filter((role) => named.includes(role)) };
  }
  const known = Object.hasOwn(SCOPES, scope) ? SCOPES[scope] : undefined;
  if (known === undefined) throw new InvalidInput('invalid_scope', 'Invalid Scope selected', FAILED);
  return { scope, roles: known };
}

/** Returns the unchanged address with these parameters at its end. */
function withParameters(address: URL, parameters: Record<string, string>): string {
  const url = new URL(address);
  const added = new URLSearchParams(parameters).toString();
  url.search = url.search === '' ? added : `${url.search}&${added}`;
  return url.href;
}
