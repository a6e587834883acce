import type { AnalysisRole } from '../documents/kinds/analysis-roles.ts';
import type { AnalysisType } from './accounts/effective-roles.ts';
import type { Actor, AuthenticationMethod, Privilege } from './actor.ts';
import type { RequestOrigin } from './audit/audit-origin.ts';
import type { VerifiedToken } from './oauth/verified-token.ts';
import type { RecentUser } from './user-store.ts';

/** What a request to the analysis service brings to say who is calling. Empty texts count as missing. */
export interface AnalysisCredentials extends RequestOrigin {
  /** The header `X-USER`. */
  readonly user: string | undefined;
  /** The header `X-APIKEY`: `<key name>:<secret>`. Without it or without `X-USER` the session counts. */
  readonly apikey: string | undefined;
  /** Value of the cookie `session`. */
  readonly session: string | undefined;
  /** The header `X-XSRF-TOKEN`, else the query argument `XSRF_TOKEN`. */
  readonly xsrfToken: string | undefined;
  /** Whether the route asks sessions for that token. */
  readonly checkXsrf: boolean;
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
  /** The header `X-TOKEN-PROVIDER`: name of the provider that made the bearer token. */
  readonly tokenProvider: string | undefined;
  /** Accounts that are switched off are let in too: for the routes that tell them so. Default false. */
  readonly allowInactive?: boolean | undefined;
}

/**
 * A user whose credential was verified, with what the credential leaves of their rights. The same object while nothing of both
 * changes, so that what is made from it can be kept beside it in a WeakMap.
 */
export interface AnalysisCaller {
  readonly user: RecentUser;
  readonly method: AuthenticationMethod;
  /** Name of the API key used, if one was. */
  readonly keyName?: string | undefined;
  /** User or client that calls in their name. */
  readonly impersonator: string | undefined;
  /** Privileges of the API key, of which the caller is the owner. Default: all where the credential has no limit, else none. */
  readonly privileges?: ReadonlySet<Privilege> | undefined;
  /** Roles that the credential allows, also ones that the account does not have. Undefined: all. */
  readonly rolesLimit: ReadonlySet<AnalysisRole> | undefined;
  /** Clearance of the client that calls for them; the call has what both have. */
  readonly classificationLimit?: string | undefined;
  /** Milliseconds since 1970 at which the credential ends by itself: an API key, or the token that a sign-in at a provider gave. */
  readonly credentialEnds?: number | undefined;
  /** The token, when they were identified by one of a provider. */
  readonly verified?: VerifiedToken | undefined;
}

/** Who is calling the analysis service. */
export interface AnalysisActor extends Actor {
  /** Of the account, limited to those of the credential. */
  readonly roles: ReadonlySet<AnalysisRole>;
  /** Milliseconds since 1970 at which the credential ends by itself; undefined: it does not. */
  readonly credentialEnds: number | undefined;
  readonly types: readonly AnalysisType[];
  readonly agreesWithTerms: boolean;
  /** Requests a day; 0 is unlimited; undefined: the default of the installation. */
  readonly dailyQuota: number | undefined;
  /** Submissions a day; 0 is unlimited; undefined: the default of the installation. */
  readonly dailySubmissionQuota: number | undefined;
}
