import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { alerts, dataOf } from '../api/clients.ts';
import type { components } from '../api/generated/alerts.ts';
import type { Session, SignInOptions } from '../api/session.ts';

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

type Schemas = components['schemas'];

/** The account as the alert service describes it (`GET /api/v1/user/whoami`). */
export type Account = Schemas['OwnProfile'];
export type FieldInfo = Schemas['FieldInfo'];
/** The configuration of the alert service (`GET /api/v1/configs`, contract section 6.5). */
export type Configuration = Schemas['BootDocument'];

export const accountQuery = {
  queryKey: ['alerts', 'whoami'],
  // The types of openapi-fetch make an array of any member of a tuple: of an API key, here.
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    dataOf(alerts.GET('/api/v1/user/whoami', { signal })) as Promise<Account>,
  staleTime: 60_000,
};

export const configurationQuery = {
  queryKey: ['alerts', 'configs'],
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(alerts.GET('/api/v1/configs/', { signal })),
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
