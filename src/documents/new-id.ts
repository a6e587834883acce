import { randomBytes } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new identifier: 128 random bits in base 62, at most 22 letters and digits. */
export function newId(): string {
  let rest = randomBytes(16).reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  let id = '';
  do {
    id = DIGITS.charAt(Number(rest % 62n)) + id;
    rest /= 62n;
  } while (rest > 0n);
  return id;
}
