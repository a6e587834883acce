import type { Actor } from '../../../identity/actor.ts';
import type { CallerCredential } from '../../../identity/caller-credential.ts';

/**
 * Returns a key that distinguishes callers in caches. A user name alone is not enough: configured
 * keys vouch for users who have no account, and two providers may have users of one name.
 */
export function callerKey(
  { username, keyName }: Pick<Actor, 'username' | 'keyName'>,
  credential: CallerCredential,
): string {
  if (credential.kind === 'local') return JSON.stringify(['local', username]);
  if (credential.kind === 'vouched') return JSON.stringify(['vouched', username, keyName ?? '']);
  return JSON.stringify(['provider', username, issuerOf(credential.token)]);
}

/** Returns the issuer of a verified token; the token itself where it names none. */
function issuerOf(token: string): string {
  try {
    const { iss } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { iss?: unknown };
    return typeof iss === 'string' ? iss : token;
  } catch {
    return token;
  }
}
