import type { ReadAccess } from '../datastore/read-access.ts';

/** R read, W write, E extended (account, actions, keys), I impersonate. */
export const PRIVILEGES = ['R', 'W', 'E', 'I'] as const;
export type Privilege = (typeof PRIVILEGES)[number];

/** User types of the alert service, as its clients name them. */
export const ROLES = [
  'admin',
  'user',
  'automation_basic',
  'automation_advanced',
  'actionrunner_basic',
  'actionrunner_advanced',
] as const;
export type Role = (typeof ROLES)[number];

export type AuthenticationMethod = 'password' | 'api_key' | 'app_token' | 'oauth' | 'session';

/** Who is calling, and what they may do. Made by `identity/`, read by everything else; never changed. */
export interface Actor {
  readonly username: string;
  /** Display name. */
  readonly name: string;
  readonly email: string | undefined;
  readonly roles: ReadonlySet<Role>;
  /** Of the credential used, not of the account: a read-only key gives R alone, also after its exchange for an app token. */
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
  /** Name of the API key used, if one was. */
  readonly keyName: string | undefined;
  /** The user who calls in this one's name by `X-Impersonating`. */
  readonly impersonator: string | undefined;
  /** Concurrent requests allowed. */
  readonly quota: number;
}
