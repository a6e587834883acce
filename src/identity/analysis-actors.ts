import { ANALYSIS_ROLES, type AnalysisRole } from '../documents/kinds/analysis-roles.ts';
import { type AnalysisType, analysisTypesOf, effectiveRoles } from './accounts/effective-roles.ts';
import { readAccessFor } from './accounts/read-access.ts';
import { type Actor, PASSWORD_PRIVILEGES } from './actor.ts';
import { ActorFactory, type ActorFactoryDependencies } from './actor-factory.ts';
import type { Caller } from './authenticator.ts';

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
}

const DEFAULT_QUOTA = 10;
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
      quota: user.api_quota ?? DEFAULT_QUOTA,
      dailyQuota: user.api_daily_quota ?? undefined,
      dailySubmissionQuota: user.submission_daily_quota ?? undefined,
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
