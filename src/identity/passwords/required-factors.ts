import type { Settings } from '../../config/config-schema.ts';
import { Unauthenticated } from '../../errors/errors.ts';
import type { RecentUser } from '../user-store.ts';

/** A credential beside password or provider. A recovery code stands in for the other kinds. */
export type SecondFactorKind = 'security_key' | 'one_time_password' | 'recovery_code';

export type SecondFactorSettings = Pick<Settings['analysis']['auth'], 'allow_2fa' | 'allow_security_tokens'>;

/** Returns the kinds that a login of a user may bring, the safest first; empty: none is required. */
export function secondFactorKinds(user: RecentUser, settings: SecondFactorSettings): readonly SecondFactorKind[] {
  const { otp_sk: secret, security_tokens: tokens, recovery_codes: codes } = user;
  const kinds: SecondFactorKind[] = [];
  // A damaged record of a key does not open an account either.
  if (settings.allow_security_tokens && Object.keys(tokens ?? {}).length > 0) kinds.push('security_key');
  if (settings.allow_2fa && secret) kinds.push('one_time_password');
  if (kinds.length > 0 && codes !== undefined && codes !== null && codes.length > 0) kinds.push('recovery_code');
  return kinds;
}

/** Rejects a password in every request of a user with a second factor: `wrong_one_time_password`. */
export function rejectPasswordAlone(user: RecentUser, settings: SecondFactorSettings): void {
  if (secondFactorKinds(user, settings).length === 0) return;
  throw new Unauthenticated(
    'wrong_one_time_password',
    'This account has a second factor, so its password alone is not enough. Log in with the second factor, or send an API key.',
  );
}
