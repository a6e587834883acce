import type { ClassificationEngine } from '../classification/classification.ts';
import { ANALYSIS_ROLES, type AnalysisRole } from '../documents/kinds/analysis-roles.ts';
import {
  type AnalysisType,
  analysisTypesOf,
  effectiveRoles,
  limitedRoles,
  rolesOfKey,
} from './accounts/effective-roles.ts';
import { clearanceOf, readAccessFor } from './accounts/read-access.ts';
import { type Actor, type AuthenticationMethod, PASSWORD_PRIVILEGES, type Privilege } from './actor.ts';
import type { RequestOrigin } from './audit/audit-origin.ts';
import type { IdentityLog } from './identity-log.ts';
import { type ApiKeyRecord, ownKeyDetails } from './keys/api-key-records.ts';
import type { VerifiedToken } from './oauth/verified-token.ts';
import type { OnBehalfOf } from './sessions/analysis-sessions.ts';
import { DerivedFromUser, type RecentUser } from './user-store.ts';

export interface AnalysisActorsDependencies {
  readonly engine: ClassificationEngine;
  readonly log: IdentityLog;
}

/** What of an actor comes from the user. */
interface Account {
  readonly roles: readonly AnalysisRole[];
  readonly types: readonly AnalysisType[];
  readonly groups: readonly string[];
  readonly classification: string;
}

const DEFAULT_QUOTA = 10;
const NO_PRIVILEGES: ReadonlySet<never> = new Set();
const ALL_PRIVILEGES = new Set(PASSWORD_PRIVILEGES);

/**
 * Makes callers of users and credentials, and actors of callers. What is made is kept beside the user object, and goes with it when the user
 * changes.
 */
export class AnalysisActors {
  readonly #dependencies: AnalysisActorsDependencies;
  readonly #derived = new DerivedFromUser();

  constructor(dependencies: AnalysisActorsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether the account has the role, whatever the credential. */
  hasRole(user: RecentUser, role: AnalysisRole): boolean {
    return this.#accountOf(user).roles.includes(role);
  }

  /** Who brings this API key of the user, or a session that it opened. */
  byKey(user: RecentUser, method: AuthenticationMethod, keyName: string, key: ApiKeyRecord): AnalysisCaller {
    return this.#callerOf(user, `${method} key ${keyName}`, () => ({
      user,
      method,
      keyName,
      impersonator: undefined,
      privileges: new Set(key.acl),
      rolesLimit: new Set(rolesOfKey({ acl: key.acl, roles: ownKeyDetails(user, keyName)?.roles })),
      credentialEnds: key.expiry_date ? Date.parse(key.expiry_date) : undefined,
    }));
  }

  /** Who has a session of the user that no API key opened. */
  bySession(
    user: RecentUser,
    rolesLimit: readonly AnalysisRole[] | undefined,
    credentialEnds?: number,
    onBehalfOf?: OnBehalfOf,
  ): AnalysisCaller {
    const client = onBehalfOf === undefined ? '' : JSON.stringify(onBehalfOf);
    return this.#callerOf(user, `session ${credentialEnds ?? ''} ${rolesLimit?.join() ?? 'all'} ${client}`, () => ({
      user,
      method: 'session',
      impersonator: onBehalfOf?.impersonator,
      rolesLimit: rolesLimit && new Set(rolesLimit),
      credentialEnds,
    }));
  }

  /** Roles that the credential leaves; undefined: it has no limit. */
  rolesLimitOf(caller: AnalysisCaller): readonly AnalysisRole[] | undefined {
    if (caller.rolesLimit === undefined) return undefined;
    return ANALYSIS_ROLES.filter((role) => this.actorOf(caller).roles.has(role));
  }

  actorOf(caller: AnalysisCaller): AnalysisActor {
    const { user, method, keyName, impersonator, privileges, rolesLimit, classificationLimit, credentialEnds } = caller;
    const limits = [privileges && [...privileges], rolesLimit && [...rolesLimit], classificationLimit, credentialEnds];
    const key = JSON.stringify(['actor', method, keyName, impersonator, ...limits]);
    return this.#derived.getOrMake(user, key, () => this.#make(caller, this.#accountOf(user)));
  }

  #make(caller: AnalysisCaller, account: Account): AnalysisActor {
    const { user, rolesLimit, classificationLimit } = caller;
    const { engine } = this.#dependencies;
    const classification =
      classificationLimit === undefined
        ? account.classification
        : engine.intersectUser(account.classification, classificationLimit);
    const roles = new Set(limitedRoles(account.roles, rolesLimit));
    const privileges = caller.privileges ?? (rolesLimit === undefined ? ALL_PRIVILEGES : NO_PRIVILEGES);
    // Nobody sees more than their classification here, administrators included.
    const access = readAccessFor(engine, classification, user.uname);
    return {
      username: user.uname,
      name: user.name,
      email: user.email ?? undefined,
      roles,
      credentialEnds: caller.credentialEnds,
      types: account.types,
      privileges,
      hasFullScope:
        caller.impersonator === undefined &&
        (roles.size === account.roles.length || ALL_PRIVILEGES.isSubsetOf(privileges)),
      isAdmin: roles.has('administration'),
      groups: account.groups,
      classification,
      searchAccess: access,
      readAccess: access,
      method: caller.method,
      keyName: caller.keyName,
      impersonator: caller.impersonator,
      quota: user.api_quota ?? DEFAULT_QUOTA,
      dailyQuota: user.api_daily_quota ?? undefined,
      dailySubmissionQuota: user.submission_daily_quota ?? undefined,
      agreesWithTerms: (user.agrees_with_tos ?? undefined) !== undefined,
    };
  }

  #callerOf(user: RecentUser, credential: string, make: () => AnalysisCaller): AnalysisCaller {
    return this.#derived.getOrMake(user, credential, make);
  }

  #accountOf(user: RecentUser): Account {
    const { engine, log } = this.#dependencies;
    return this.#derived.getOrMake(user, 'account', () => ({
      roles: effectiveRoles(user),
      types: analysisTypesOf(user),
      groups: user.groups.map((group) => group.toUpperCase()),
      classification: clearanceOf(user, engine, log),
    }));
  }
}

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

/** A user whose credential was verified, with what the credential leaves of their rights. */
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
