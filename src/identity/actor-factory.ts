import type { ClassificationEngine } from '../classification/classification.ts';
import type { Settings } from '../config/config-schema.ts';
import { type ReadAccess, unrestricted } from '../datastore/port/read-access.ts';
import { ANALYSIS_ROLES, type AnalysisRole } from '../documents/kinds/analysis-roles.ts';
import { type AnalysisType, analysisTypesOf, effectiveRoles } from './accounts/effective-roles.ts';
import { clearanceOf, readAccessFor, readAccessOfQuery } from './accounts/read-access.ts';
import { type Actor, PASSWORD_PRIVILEGES, ROLES } from './actor.ts';
import type { Caller } from './authenticator.ts';
import type { IdentityLog } from './identity-log.ts';
import { DerivedFromUser, type RecentUser } from './user-store.ts';

export interface ActorFactoryDependencies {
  readonly engine: ClassificationEngine;
  readonly log: IdentityLog;
}

/** The part of an actor that every service derives from a caller in the same way. */
export type SharedActor = Pick<
  Actor,
  'username' | 'name' | 'email' | 'classification' | 'method' | 'keyName' | 'impersonator'
>;

/** Creates actors from callers. Caches them by user object, so that a change of the account ends them. */
export class ActorFactory<A extends Actor = Actor> {
  readonly #dependencies: ActorFactoryDependencies;
  readonly #complete: (shared: SharedActor, caller: Caller) => A;
  readonly #derived = new DerivedFromUser();

  /** @param complete adds what the service derives from a caller by its own rules */
  constructor(dependencies: ActorFactoryDependencies, complete: (shared: SharedActor, caller: Caller) => A) {
    this.#dependencies = dependencies;
    this.#complete = complete;
  }

  actorOf(caller: Caller): A {
    const { user, method, keyName, impersonator, privileges, rolesLimit, classificationLimit, credentialEnds } = caller;
    const roles = rolesLimit && [...rolesLimit];
    const key = JSON.stringify([method, keyName, impersonator, privileges, roles, classificationLimit, credentialEnds]);
    return this.#derived.getOrMake(user, key, () => {
      const shared = { username: user.uname, name: user.name, email: user.email ?? undefined };
      const classification = this.#clearanceOf(caller);
      return this.#complete({ ...shared, classification, method, keyName, impersonator }, caller);
    });
  }

  #clearanceOf({ user, isVouched, classificationLimit: limit }: Caller): string {
    const { engine, log } = this.#dependencies;
    // The address of a vouched user is not verified, so it gives no dynamic groups.
    const clearance = isVouched ? user.classification : clearanceOf(user, engine, log);
    return limit === undefined ? clearance : engine.intersectUser(clearance, limit);
  }
}

export interface PrivilegedActorDependencies extends ActorFactoryDependencies {
  readonly settings: Pick<Settings, 'auth'>;
}

const ADMINISTRATOR_ACCESS = unrestricted('user type admin sees every record that it asks for by its identifier');
const UNFILTERED_ACCESS = unrestricted('auth.users_without_access_control is unfiltered');
const DEFAULT_QUOTA = 25;

/** Creates actors with the roles of their account and the privileges of their credential. */
export function privilegedActors(dependencies: PrivilegedActorDependencies): ActorFactory {
  return new ActorFactory(dependencies, (shared, caller) => {
    const { user, isVouched } = caller;
    const privileges = new Set(caller.privileges);
    const roles = new Set(ROLES.filter((role) => user.type.includes(role)));
    const isAdmin = roles.has('admin');
    const computed = readAccessFor(dependencies.engine, shared.classification, user.uname);
    return {
      ...shared,
      roles,
      privileges,
      hasFullScope: caller.impersonator === undefined && PASSWORD_PRIVILEGES.every((one) => privileges.has(one)),
      isAdmin,
      groups: user.groups,
      searchAccess: isVouched ? computed : searchAccessOf(user, computed, dependencies),
      readAccess: isAdmin ? ADMINISTRATOR_ACCESS : computed,
      quota: user.api_quota ?? DEFAULT_QUOTA,
    };
  });
}

function searchAccessOf(
  user: RecentUser,
  computed: ReadAccess,
  { settings, log }: PrivilegedActorDependencies,
): ReadAccess {
  const stored = user.access_control;
  if (stored === undefined || stored === null || stored === '') {
    const isUnfiltered = settings.auth.users_without_access_control === 'unfiltered';
    return isUnfiltered ? { ...UNFILTERED_ACCESS, username: user.uname } : computed;
  }
  try {
    return readAccessOfQuery(stored, user.uname);
  } catch (error) {
    log.error(
      { user: user.uname, err: error },
      `the stored access_control of user ${user.uname} is not a query; the filter of their classification is used`,
    );
    return computed;
  }
}

/** An actor of the analysis service. */
export interface AnalysisActor extends Actor {
  /** Roles of the account, limited to those of the credential. */
  readonly roles: ReadonlySet<AnalysisRole>;
  /** Milliseconds since 1970 at which the credential ends by itself; undefined: it does not. */
  readonly credentialEnds: number | undefined;
  readonly types: readonly AnalysisType[];
  readonly agreesWithTerms: boolean;
  /** Requests a day; 0 is unlimited; undefined: the default of the installation. */
  readonly dailyQuota: number | undefined;
  /** Submissions a day; 0 is unlimited; undefined: the default of the installation. */
  readonly dailySubmissionQuota: number | undefined;
  /** Submissions at the same time, likewise; and those that come in bulk. */
  readonly submissionQuota: number | undefined;
  readonly asyncSubmissionQuota: number | undefined;
}

const ANALYSIS_QUOTA = 10;
const ALL_PRIVILEGES = new Set(PASSWORD_PRIVILEGES);

/** Creates actors with the roles that both their account and their credential allow. */
export function analysisActors(dependencies: ActorFactoryDependencies): ActorFactory<AnalysisActor> {
  return new ActorFactory(dependencies, (shared, caller) => {
    const { user, rolesLimit } = caller;
    const held = effectiveRoles(user);
    const roles = new Set(rolesLimit === undefined ? held : held.filter((role) => rolesLimit.has(role)));
    const privileges = new Set(caller.privileges);
    // Administrators see no more than their classification here, too.
    const access = readAccessFor(dependencies.engine, shared.classification, user.uname);
    return {
      ...shared,
      roles,
      credentialEnds: caller.credentialEnds,
      types: analysisTypesOf(user),
      privileges,
      hasFullScope:
        caller.impersonator === undefined && (roles.size === held.length || ALL_PRIVILEGES.isSubsetOf(privileges)),
      isAdmin: roles.has('administration'),
      groups: user.groups.map((group) => group.toUpperCase()),
      searchAccess: access,
      readAccess: access,
      quota: user.api_quota ?? ANALYSIS_QUOTA,
      dailyQuota: user.api_daily_quota ?? undefined,
      dailySubmissionQuota: user.submission_daily_quota ?? undefined,
      submissionQuota: user.submission_quota ?? undefined,
      asyncSubmissionQuota: user.submission_async_quota ?? undefined,
      agreesWithTerms: (user.agrees_with_tos ?? undefined) !== undefined,
    };
  });
}

/** Returns the roles that a credential leaves; undefined: it has no limit. */
export function rolesLeft(actors: ActorFactory<AnalysisActor>, caller: Caller): readonly AnalysisRole[] | undefined {
  if (caller.rolesLimit === undefined) return undefined;
  const { roles } = actors.actorOf(caller);
  return ANALYSIS_ROLES.filter((role) => roles.has(role));
}
