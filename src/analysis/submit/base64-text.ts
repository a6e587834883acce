const WHOLE = /^[A-Za-z0-9+/]*={0,2}$/;
const FOREIGN = /[^A-Za-z0-9+/=]+/g;

/**
 * Decodes Base64 as the public system does: other characters are left out, padding must be there.
 * Undefined for text whose padding is wrong.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const known = WHOLE.test(text) ? text : text.replaceAll(FOREIGN, '');
  const digits = known.replace(/=+$/, '');
  const padding = known.length - digits.length;
  if (digits.includes('=')) return undefined;
  const rest = digits.length % 4;
  if (rest === 1 || (rest > 0 && rest + padding < 4)) return undefined;
  return Buffer.from(digits, 'base64');
}
