import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { alerts, dataOf } from '../api/clients.ts';
import type { Session, SignInOptions } from '../api/session.ts';
import type { ClassificationStyles } from '../design/data/classification/classification-look.ts';

export interface SignedIn {
  readonly session: Session;
  readonly signIn: SignInOptions;
  /** Addresses by which programs reach the services, by name. */
  readonly services: Readonly<Record<string, string>>;
}

const SessionContext = createContext<SignedIn | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

/** Returns whose session this is. */
export function useSession(): SignedIn {
  const signedIn = useContext(SessionContext);
  if (signedIn === undefined) throw new Error('SessionProvider is missing.');
  return signedIn;
}

/** The account as the alert service describes it (`GET /api/v1/user/whoami`). */
export interface Account {
  readonly username: string;
  readonly name: string;
  readonly email?: string;
  /** Picture as a data URI. */
  readonly avatar?: string | null;
  readonly is_admin: boolean;
  /** Own API keys: name, privileges, expiry. */
  readonly apikeys: readonly (readonly [name: string, privileges: readonly string[], expiry: string | null])[];
  /** User types: admin, user, automation_basic ... */
  readonly roles: readonly string[];
  readonly classification?: string;
  readonly favourite_views?: readonly string[];
  readonly favourite_analytics?: readonly string[];
  readonly dashboard?: readonly unknown[];
}

export interface FieldInfo {
  readonly type: string;
  readonly description?: string;
  readonly list?: boolean;
  readonly indexed?: boolean;
  readonly stored?: boolean;
  readonly deprecated?: boolean;
}

/** The configuration of the alert service (`GET /api/v1/configs`, contract section 6.5). */
export interface Configuration {
  readonly lookups: Readonly<Record<string, unknown>> & {
    readonly transitions: Readonly<Record<string, readonly string[]>>;
  };
  readonly configuration: {
    readonly mapping: Readonly<Record<string, string>>;
    readonly system: Readonly<Record<string, unknown>> & { readonly version: string };
    readonly features: Readonly<Record<string, boolean>>;
    readonly auth: Readonly<Record<string, unknown>>;
  };
  readonly c12nDef: ClassificationStyles & Readonly<Record<string, unknown>>;
  /** Fields of each index, by name. */
  readonly indexes: Readonly<Record<string, Readonly<Record<string, FieldInfo>>>>;
}

export const accountQuery = {
  queryKey: ['alerts', 'whoami'],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await dataOf(alerts.GET('/api/v1/user/whoami', { signal }))) as unknown as Account,
  staleTime: 60_000,
};

export const configurationQuery = {
  queryKey: ['alerts', 'configs'],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await dataOf(alerts.GET('/api/v1/configs/', { signal }))) as unknown as Configuration,
  staleTime: Number.POSITIVE_INFINITY,
};

/** Returns the account of the alert service: roles, favourites, dashboard. */
export function useAccount() {
  return useQuery(accountQuery);
}

/** Returns lookups, fields of the indices, the definition of classifications. */
export function useConfiguration() {
  return useQuery(configurationQuery);
}
