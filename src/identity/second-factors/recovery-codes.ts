import { randomInt } from 'node:crypto';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { hashApiKeySecret, verifyApiKeySecret } from '../keys/api-key-records.ts';
import type { UserStore } from '../user-store.ts';

const CODES = 10;
/** Digits of Crockford's base 32, without those that look like others. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 4;
const GROUP = 4;
const CODE = new RegExp(`^[${ALPHABET}]{${GROUPS * GROUP}}$`);

/** Creates ten codes of 80 random bits, `xxxx-xxxx-xxxx-xxxx`, and the digests that are stored of them. */
export function newRecoveryCodes(): { readonly codes: readonly string[]; readonly digests: readonly string[] } {
  const codes = Array.from({ length: CODES }, () =>
    Array.from({ length: GROUPS }, () =>
      Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
    ).join('-'),
  );
  return { codes, digests: codes.map((code) => hashApiKeySecret(plain(code))) };
}

/** Returns whether a string has the form of a recovery code, in any case, with or without hyphens. */
export function isRecoveryCode(given: string): boolean {
  return CODE.test(plain(given));
}

/** Uses a recovery code up. Of several callers with the same code, one gets true. */
export function useRecoveryCode(users: UserStore, username: string, given: string): Promise<boolean> {
  return retryOnConflict(async () => {
    const stored = await users.getVersioned(username);
    for (const digest of stored?.document.recovery_codes ?? []) {
      if (stored === undefined || !(await verifyApiKeySecret(plain(given), digest))) continue;
      await users.update(username, [{ op: 'remove', path: 'recovery_codes', value: digest }], {
        ifVersion: stored.version,
      });
      return true;
    }
    return false;
  });
}

/** Returns a code without hyphens and blanks, with the digits for which people read letters. */
function plain(given: string): string {
  return given.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
}
