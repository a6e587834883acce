import type { ServiceName } from '../../../identity/actor.ts';

/** A person with an account at the test provider. */
export interface ProviderPerson {
  readonly password: string;
  readonly email: string;
  readonly name: string;
  readonly groups: readonly string[];
  /** Further claims of their tokens. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Known from the start. The name is the one they sign in with, `preferred_username` and `sub`. */
export const PEOPLE: Readonly<Record<string, ProviderPerson>> = {
  lovelace: {
    password: 'password-of-lovelace',
    email: 'ada.lovelace@example.org',
    name: 'Lovelace, Ada',
    groups: ['soc', 'soc-admins'],
  },
  hopper: { password: 'password-of-hopper', email: 'grace.hopper@example.org', name: 'Grace Hopper', groups: ['soc'] },
  stranger: { password: 'password-of-stranger', email: 'stranger@example.net', name: 'A Stranger', groups: [] },
};

/** A service of the installation as a client of the test provider. */
export interface ProviderServiceClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Audience of the tokens for this service. */
  readonly audience: string;
  /** Resource indicator (RFC 8707). */
  readonly resource: string;
  /** Services whose tokens it may ask for in exchange. */
  readonly mayExchangeFor: readonly ServiceName[];
}

export const SERVICE_CLIENTS: Readonly<Record<ServiceName, ProviderServiceClient>> = {
  alerts: client('alerts', ['analysis', 'enrichment']),
  analysis: client('analysis', []),
  enrichment: client('enrichment', ['alerts', 'analysis']),
};

function client(service: ServiceName, mayExchangeFor: readonly ServiceName[]): ProviderServiceClient {
  return {
    clientId: `triad-${service}`,
    clientSecret: `secret-of-triad-${service}`,
    audience: `${service}-api`,
    resource: `urn:triad:${service}`,
    mayExchangeFor,
  };
}

export const claimsOf = (username: string, person: ProviderPerson): Record<string, unknown> => ({
  preferred_username: username,
  email: person.email,
  email_verified: true,
  name: person.name,
  groups: [...person.groups],
  ...person.claims,
});
