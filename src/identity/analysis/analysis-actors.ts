import { BoundedCache } from '../../caching/bounded-cache.ts';
import type { ClassificationEngine } from '../../classification/classification.ts';
import { ANALYSIS_ROLES, type AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import { clearanceOf } from '../accounts/clearance.ts';
import {
  type AnalysisType,
  analysisTypesOf,
  effectiveRoles,
  limitedRoles,
  rolesOfKey,
} from '../accounts/effective-roles.ts';
import { readAccessFor } from '../accounts/read-access.ts';
import { type AuthenticationMethod, PASSWORD_PRIVILEGES } from '../actor.ts';
import type { AnalysisActor, AnalysisCaller } from '../analysis-caller.ts';
import type { IdentityLog } from '../identity-log.ts';
import { type ApiKeyRecord, ownKeyDetails } from '../keys/api-key-records.ts';
import type { OnBehalfOf } from '../sessions/analysis-sessions.ts';
import type { RecentUser } from '../user-store.ts';

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
  readonly callers: BoundedCache<string, AnalysisCaller>;
}

const DEFAULT_QUOTA = 10;
const NO_PRIVILEGES: ReadonlySet<never> = new Set();
const ALL_PRIVILEGES = new Set(PASSWORD_PRIVILEGES);
/** Of one user. */
const MAX_CALLERS = 100;

/**
 * Makes callers of users and credentials, and actors of callers. What is made is kept beside the user object, and goes with it when the user
 * changes.
 */
export class AnalysisActors {
  readonly #dependencies: AnalysisActorsDependencies;
  readonly #accounts = new WeakMap<RecentUser, Account>();
  readonly #actors = new WeakMap<AnalysisCaller, AnalysisActor>();

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
    const known = this.#actors.get(caller);
    if (known) return known;
    const actor = this.#make(caller, this.#accountOf(caller.user));
    this.#actors.set(caller, actor);
    return actor;
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
    return this.#accountOf(user).callers.getOrMake(credential, make);
  }

  #accountOf(user: RecentUser): Account {
    const known = this.#accounts.get(user);
    if (known) return known;
    const { engine, log } = this.#dependencies;
    const account: Account = {
      roles: effectiveRoles(user),
      types: analysisTypesOf(user),
      groups: user.groups.map((group) => group.toUpperCase()),
      classification: clearanceOf(user, engine, log),
      callers: new BoundedCache(MAX_CALLERS),
    };
    this.#accounts.set(user, account);
    return account;
  }
}
