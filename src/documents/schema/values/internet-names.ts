import { domainToASCII } from 'node:url';
import topLevelDomains from 'tlds' with { type: 'json' };
import { IP_REGEX } from './patterns.ts';

/** Validates domains, e-mail addresses and URIs, in time linear in the length of the string. */

/** Special-use names (RFC 6761, 6762, 7686) and suffixes that private networks use. */
const PRIVATE_TOP_LEVEL = 'localhost test example invalid local onion internal lan home corp localdomain'.split(' ');
const TOP_LEVEL: ReadonlySet<string> = new Set([
  ...topLevelDomains,
  ...topLevelDomains.map((name) => domainToASCII(name)),
  ...PRIVATE_TOP_LEVEL,
]);

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const LAST_LABEL = /^[a-z0-9][a-z0-9_-]{0,61}[a-z]$/i;
const MAX_DOMAIN_LENGTH = 253;

/** At least two labels; international names count by their ASCII form; no trailing dot. */
export function isDomain(text: string): boolean {
  if (text.length > MAX_DOMAIN_LENGTH || /\s|__/.test(text)) return false;
  const ascii = /^[\x21-\x7e]*$/.test(text) ? text : domainToASCII(text);
  const labels = ascii.split('.');
  const last = labels.pop() ?? '';
  return labels.length > 0 && LAST_LABEL.test(last) && labels.every((label) => LABEL.test(label));
}

/** Returns whether the last label is a top-level domain, registered or in private use. */
export function hasKnownTopLevel(domain: string): boolean {
  const dot = domain.lastIndexOf('.');
  return dot !== -1 && TOP_LEVEL.has(domain.slice(dot + 1).toLowerCase());
}

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;

/** The domain of an e-mail address; undefined: not an address. */
export function emailDomain(text: string): string | undefined {
  const at = text.indexOf('@');
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (at < 1 || local.length > 64 || !LOCAL_PART.test(local) || !isDomain(domain)) return undefined;
  return domain;
}

const ADDRESS = new RegExp(IP_REGEX);
const HOST_LABEL = /^(?:[A-Za-z0-9\u00a1-\uffff][A-Za-z0-9\u00a1-\uffff_-]{0,62})?[A-Za-z0-9\u00a1-\uffff]$/;
const HOST_LAST_LABEL = /^(?:xn--)?[A-Za-z0-9\u00a1-\uffff]{2,}$/;

function isHost(text: string): boolean {
  const labels = text.replace(/\.$/, '').split('.');
  const last = labels.pop() ?? '';
  return labels.length > 0 && HOST_LAST_LABEL.test(last) && labels.every((label) => HOST_LABEL.test(label));
}
/**
 * Returns `start` (scheme, user, host and port), host, and whether that is an IP address; undefined:
 * not a URI. Scheme and slashes may be missing.
 */
export function uriParts(text: string) {
  if (/\s/.test(text)) return undefined;
  const scheme = /^(?:[A-Za-z]*:)?\/\//.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  const end = rest.search(/[/?#]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const named = authority.slice(authority.lastIndexOf('@') + 1);
  const start = scheme + authority;
  if (ADDRESS.test(named)) return { start, host: named, isAddress: true };
  const host = named.replace(/:\d{2,5}$/, '');
  if (ADDRESS.test(host)) return { start, host, isAddress: true };
  return isHost(host) ? { start, host, isAddress: false } : undefined;
}
