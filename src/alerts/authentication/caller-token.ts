import type { Actor } from '../../identity/actor.ts';
import type { AlertIdentity } from '../../identity/alert-identity.ts';
import { readJsonWebToken } from '../../identity/credential-rows.ts';
import type { VerifiedToken } from '../../identity/oauth/verified-token.ts';

/** Returns the caller's provider token; undefined for another credential or an impersonated user. */
export async function callerToken(
  { method }: Pick<Actor, 'method'>,
  authorization: string | undefined,
  identity: Pick<AlertIdentity, 'tokenOf'>,
): Promise<VerifiedToken | undefined> {
  if (method !== 'oauth') return undefined;
  const token = readJsonWebToken(authorization);
  return token === undefined ? undefined : identity.tokenOf(token);
}
