import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { alerts, dataOf } from '../api/clients.ts';
import type { Session, SignInOptions } from '../api/session.ts';

export interface SignedIn {
  readonly session: Session;
  readonly signIn: SignInOptions;
}

const SessionContext = createContext<SignedIn | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

/** Returns whose session this is. */
export function useSession(): SignedIn {
  const signedIn = useContext(SessionContext);
  if (signedIn === undefined) throw new Error('SessionProvider is missing.');
  return signedIn;
}

/** The account of the alert service: roles, favourites, dashboard. */
export function useAccount() {
  return useQuery(accountQuery);
}

export const accountQuery = {
  queryKey: ['alerts', 'whoami'],
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(alerts.GET('/api/v1/user/whoami', { signal })),
  staleTime: 60_000,
};

/** The configuration of the alert service: lookups, fields of the indices, classification. */
export const configurationQuery = {
  queryKey: ['alerts', 'configs'],
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(alerts.GET('/api/v1/configs/', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
};

/** Returns the configuration, which the application loads before its first page. */
export function useConfiguration() {
  return useQuery(configurationQuery);
}
