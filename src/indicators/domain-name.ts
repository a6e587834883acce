import { domainToASCII } from 'node:url';

/** Characters of a domain name, at most (RFC 1035), without its final dot. */
export const MAX_DOMAIN_LENGTH = 253;

const ASCII = /^[\u0021-\u007e]*$/;
/** Characters of other parts of a URL: the conversion drops them, or the part that they begin. */
const NOT_IN_DOMAINS = /[\p{Cc}\p{Z}/\\?#@:%[\]]/u;

/**
 * Returns a domain name in lower case and ASCII, without its final dot; undefined for one that has no
 * such form or is too long. Labels of ASCII are not validated: callers differ in those they accept.
 */
export function asciiDomain(text: string): string | undefined {
  // International names are shorter in Unicode than in ASCII, a few with ignored characters are not.
  if (text.length > 4 * MAX_DOMAIN_LENGTH) return undefined;
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const ascii = ASCII.test(name) ? name.toLowerCase() : converted(name);
  return ascii === '' || ascii.length > MAX_DOMAIN_LENGTH ? undefined : ascii;
}

function converted(name: string): string {
  return NOT_IN_DOMAINS.test(name) ? '' : domainToASCII(name);
}
