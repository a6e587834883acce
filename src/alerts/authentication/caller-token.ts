import type { Actor } from '../../identity/actor.ts';
import type { AlertIdentity } from '../../identity/alert-identity.ts';
import { readJsonWebToken } from '../../identity/credentials.ts';
import type { VerifiedToken } from '../../identity/oauth/verified-token.ts';

/**
 * The token of an identity provider that the caller uses; undefined when they came in by something else, or act as somebody else.
 * @param authorization the header that they came in with
 */
export async function callerToken(
  { method }: Pick<Actor, 'method'>,
  authorization: string | undefined,
  identity: Pick<AlertIdentity, 'tokenOf'>,
): Promise<VerifiedToken | undefined> {
  if (method !== 'oauth') return undefined;
  const token = readJsonWebToken(authorization);
  return token === undefined ? undefined : identity.tokenOf(token);
}
