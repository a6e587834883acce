import { isIP, isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { asciiDomain } from '../../indicators/domain-name.ts';

/** Control characters and blanks, which no value of these types has. */
const UNPRINTABLE = /[\p{Cc}\p{Z}]/u;
/** The part before the host of a URL, from its scheme on. */
const CREDENTIALS = /^([a-zA-Z][a-zA-Z0-9+.-]*:\/\/)?[^/\\?#]*@/;
const MAX_URL = 4_096;

const hash = (digits: number) => {
  const pattern = new RegExp(`^[0-9a-f]{${digits}}$`);
  return (value: string) => fitting(value.toLowerCase(), (lower) => pattern.test(lower));
};

const READERS: Readonly<Record<string, (value: string) => string | undefined>> = {
  md5: hash(32),
  sha1: hash(40),
  sha256: hash(64),
  ipv4: (value) => fitting(value, isIPv4),
  // A zone names an interface of the machine on which the address was seen.
  ipv6: (value) => fitting(value, (address) => isIPv6(address) && !address.includes('%')),
  domain: domainForVendors,
  email_address: (value) => fitting(value, (address) => /^[^@]+@[^@]+$/.test(address) && !UNPRINTABLE.test(address)),
  // User and password of a URL never leave the installation.
  url: (value) =>
    fitting(value.replace(CREDENTIALS, '$1'), (url) => !UNPRINTABLE.test(url) && hostOf(url) !== undefined),
};

/** Types whose values can be checked before a vendor learns them. */
export const VENDOR_TYPES: readonly string[] = Object.keys(READERS);

/**
 * Returns a value in the usual form of its type; undefined for one that is not of that type and must
 * not be sent.
 */
export function vendorValue(type: string, value: string): string | undefined {
  return Object.hasOwn(READERS, type) ? READERS[type]?.(value) : undefined;
}

/** Returns the host of an address that may have no scheme; undefined when there is none. */
export function hostOf(url: string): string | undefined {
  if (url.length > MAX_URL) return undefined;
  const host = URL.parse(url.includes('://') ? url : `http://${url}`)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  return isIP(host) !== 0 ? host : domainForVendors(host);
}

/** Returns a domain of at least two labels that no vendor can take for an address. */
function domainForVendors(value: string): string | undefined {
  const domain = asciiDomain(value);
  if (domain === undefined || !/^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/.test(domain)) return undefined;
  // URL parsers read names such as 0x7f.1 as addresses, and refuse labels that only begin as Punycode.
  return domainToASCII(domain) === domain ? fitting(domain, (name) => !isIPv4(name)) : undefined;
}

function fitting(value: string, fits: (value: string) => boolean): string | undefined {
  return fits(value) ? value : undefined;
}
