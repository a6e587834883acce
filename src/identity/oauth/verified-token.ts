import type { User } from '../../documents/kinds/user.ts';
import type { CredentialHolder } from '../audit/audit-log.ts';
import type { Claims } from './claim-values.ts';

/** An access token of a provider that is valid at a service. */
export interface VerifiedToken {
  /** Name of the provider. */
  readonly provider: string;
  readonly claims: Claims;
  readonly token: string;
  /** Milliseconds since 1970, as the token says. */
  readonly expires: number;
}

/** Returns the verified facts of a token and its user, for the audit log. */
export function holderOfUser({ uname }: Pick<User, 'uname'>, token: VerifiedToken | undefined) {
  return token && { ...holderOfToken(token), user: uname };
}

/** Returns the verified facts of a token, for the audit log. */
export function holderOfToken({ provider, claims }: Pick<VerifiedToken, 'provider' | 'claims'>): CredentialHolder {
  const { sub } = claims;
  return { provider, subject: typeof sub === 'string' && sub !== '' ? sub : undefined, azp: authorisedParty(claims) };
}

/** Returns a token's client: `azp` (OIDC Core section 2), `client_id` (RFC 9068), Azure's or Okta's. */
export function authorisedParty(claims: Claims): string | undefined {
  for (const name of ['azp', 'client_id', 'appid', 'cid']) {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** Returns whether the token names an actor for its subject (RFC 8693 section 4.1). */
export function isDelegated({ act }: Claims): boolean {
  return typeof act === 'object' && act !== null;
}

/** Returns the subject of the actor, if the token contains it. */
export function actorNamed({ act }: Claims): string | undefined {
  const subject = typeof act === 'object' && act !== null && 'sub' in act ? act.sub : undefined;
  return typeof subject === 'string' && subject !== '' ? subject : undefined;
}

/** Returns whether one of the audiences is `audience`. */
export function isFor(claims: Claims, audience: string): boolean {
  const { aud } = claims;
  return Array.isArray(aud) ? aud.includes(audience) : aud === audience;
}
