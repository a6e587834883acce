import type { ReadAccess } from '../datastore/port/read-access.ts';
import type { AnalysisRole } from '../documents/kinds/analysis-roles.ts';
import { KEY_PRIVILEGES, USER_TYPES } from '../documents/kinds/user.ts';

/** R read, W write, E extended (account, actions, keys), I impersonate. */
export const PRIVILEGES = KEY_PRIVILEGES;
export type Privilege = (typeof PRIVILEGES)[number];

/** Privileges of a sign-in with a password: all rights of the account. */
export const PASSWORD_PRIVILEGES: readonly Privilege[] = ['R', 'W', 'E'];

/** User types of the alert service, as its clients name them. */
export const ROLES = USER_TYPES;
export type Role = (typeof ROLES)[number];

/** A role at any of the services. An actor has those of the service that they call. */
export type ServiceRole = Role | AnalysisRole;

/** The three services, as settings, log lines and audiences name them. */
export const SERVICES = ['alerts', 'analysis', 'enrichment'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** The services, the web interface, and the operations of administrators, which identify callers, too. */
export type ListenerName = ServiceName | 'web' | 'operations';

export type AuthenticationMethod = 'password' | 'api_key' | 'app_token' | 'oauth' | 'on_behalf_of' | 'session';

/** A caller and their rights. Created by `identity/`; never changed. */
export interface Actor {
  readonly username: string;
  /** Display name. */
  readonly name: string;
  readonly email: string | undefined;
  /** Roles at the service that is called; at the analysis service limited to those of the credential. */
  readonly roles: ReadonlySet<ServiceRole>;
  /**
   * Privileges of the credential, not of the account: a read-only key gives R alone, also after its
   * exchange for an app token or a session. A key of roles that were chosen one by one has none.
   */
  readonly privileges: ReadonlySet<Privilege>;
  readonly isAdmin: boolean;
  readonly groups: readonly string[];
  /** Normalised, long form. */
  readonly classification: string;
  /** For searches and everything that counts: the caller's classification, administrators included. */
  readonly searchAccess: ReadAccess;
  /** For reads by id: as `searchAccess`, but user type admin sees all (contract/alert.md section 4.1). */
  readonly readAccess: ReadAccess;
  readonly method: AuthenticationMethod;
  /** True when the credential is the caller's own and has all rights of the account at this service. */
  readonly hasFullScope: boolean;
  /** Name of the API key used, if one was. */
  readonly keyName: string | undefined;
  /** The user or client that calls on behalf of the user, by `X-Impersonating` or a token. */
  readonly impersonator: string | undefined;
  /** Concurrent requests allowed. */
  readonly quota: number;
}
