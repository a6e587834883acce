import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { verify as bcryptVerify } from '@node-rs/bcrypt';

const PREFIX = 'hmac-sha256';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 400 random bits as 80 base32 characters (RFC 4648). */
export function newApiKeySecret(): string {
  return base32(randomBytes(50));
}

/** RFC 4648 without padding. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

/**
 * What is stored of a secret: `hmac-sha256:<salt>:<digest>`. Fast on purpose: the secret is random and long, nobody can guess it,
 * and every request of a program brings it.
 */
export function hashApiKeySecret(secret: string): string {
  const salt = randomBytes(32);
  return `${PREFIX}:${salt.toString('base64url')}:${digest(salt, secret).toString('base64url')}`;
}

/** Constant time over the digest. Records of the public system have bcrypt. */
export async function verifyApiKeySecret(secret: string, stored: string): Promise<boolean> {
  const [prefix, salt, expected] = stored.split(':');
  if (prefix === PREFIX && salt !== undefined && expected !== undefined) {
    const wanted = Buffer.from(expected, 'base64url');
    const given = digest(Buffer.from(salt, 'base64url'), secret);
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  }
  if (!stored.startsWith('$2')) return false;
  try {
    return await bcryptVerify(secret, stored);
  } catch {
    return false;
  }
}

function digest(salt: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', salt).update(secret).digest();
}
