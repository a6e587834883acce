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

/** What a route may ask for: each service has its own roles, and an actor has those of the service that they call. */
export type ServiceRole = Role | AnalysisRole;

/** The three services, as settings, log lines and audiences name them. */
export const SERVICES = ['alerts', 'analysis', 'enrichment'] as const;
export type ServiceName = (typeof SERVICES)[number];

export type AuthenticationMethod = 'password' | 'api_key' | 'app_token' | 'oauth' | 'on_behalf_of' | 'session';

/** Who is calling, and what they may do. Made by `identity/`, read by everything else; never changed. */
export interface Actor {
  readonly username: string;
  /** Display name. */
  readonly name: string;
  readonly email: string | undefined;
  /** Of the service that is called; on the analysis service already limited to those of the credential. */
  readonly roles: ReadonlySet<ServiceRole>;
  /**
   * Of the credential used, not of the account: a read-only key gives R alone, also after its exchange for an app token or a session.
   * A key of roles that were chosen one by one has none.
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
  /** Whether the credential has all rights of the account at the service that is called, and is the caller's own. */
  readonly hasFullScope: boolean;
  /** Name of the API key used, if one was. */
  readonly keyName: string | undefined;
  /** The user or client that calls in this one's name: by `X-Impersonating`, or with an on-behalf-of token. */
  readonly impersonator: string | undefined;
  /** Concurrent requests allowed. */
  readonly quota: number;
}
