import { isIP, isIPv4, isIPv6 } from 'node:net';
import { canonicalAddress } from '../../../identity/networks.ts';
import { asciiDomain } from '../../../indicators/domain-name.ts';
import { refangText } from '../../../indicators/refanged-text.ts';

/** A value of a list as its type of selector writes it. */
export interface ListedValue {
  readonly type: string;
  readonly value: string;
  readonly isNetwork: boolean;
}

/** Bytes of a value that can be looked up. */
const MAX_LENGTH = 4096;
const HASH_TYPES: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256', 128: 'sha512' };
const LABELS =
  /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const EMAIL_NAME = /^[^\s@"(),:;<>[\\\]]{1,64}$/;
const CVE = /^CVE-(?:19|20)[0-9]{2}-[0-9]{4,7}$/;

/** Readers of trimmed strings by type. Each returns undefined for a string that is not of its type. */
const READINGS: Readonly<Record<string, (text: string) => ListedValue | undefined>> = {
  md5: (text) => hashOf(text, 32),
  sha1: (text) => hashOf(text, 40),
  sha256: (text) => hashOf(text, 64),
  sha512: (text) => hashOf(text, 128),
  ip: (text) => addressOf(text),
  ipv4: (text) => ofType(addressOf(text), 'ipv4'),
  ipv6: (text) => ofType(addressOf(text), 'ipv6'),
  domain: (text) => listed('domain', listedDomain(text)),
  hostname: (text) => listed('domain', listedDomain(text)) ?? singleLabel(text),
  url: (text) => urlOf(text),
  email_address: (text) => emailOf(text),
  cve: (text) => (CVE.test(text.toUpperCase()) ? listed('cve', text.toUpperCase()) : undefined),
  port: (text) => (/^[0-9]{1,5}$/.test(text) && Number(text) < 65_536 ? listed('port', text) : undefined),
  user_agent: (text) => listed('user_agent', text),
  'tenant-id': (text) =>
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? listed('tenant-id', text.toLowerCase()) : undefined,
};

/** Types by their names in lists, in lower case and without punctuation. */
const ALIASES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(READINGS).map((type) => [plainName(type), type])),
  md5hash: 'md5',
  filehashmd5: 'md5',
  hashmd5: 'md5',
  sha1hash: 'sha1',
  filehashsha1: 'sha1',
  hashsha1: 'sha1',
  sha256hash: 'sha256',
  filehashsha256: 'sha256',
  hashsha256: 'sha256',
  sha512hash: 'sha512',
  ipport: 'ip',
  ipaddress: 'ip',
  address: 'ip',
  ipsrc: 'ip',
  ipdst: 'ip',
  dstip: 'ip',
  srcip: 'ip',
  cidr: 'ip',
  network: 'ip',
  ipv4addr: 'ipv4',
  ipv6addr: 'ipv6',
  fqdn: 'domain',
  domainname: 'domain',
  host: 'hostname',
  uri: 'url',
  link: 'url',
  email: 'email_address',
  emailaddr: 'email_address',
  emailsrc: 'email_address',
  emaildst: 'email_address',
  vulnerability: 'cve',
  useragent: 'user_agent',
};

/**
 * Returns the type of selector that a list names; undefined for others. Types of extensions have a
 * slash.
 */
export function typeNamed(name: string): string | undefined {
  const plain = plainName(name);
  if (Object.hasOwn(ALIASES, plain)) return ALIASES[plain];
  return name.length <= 255 && /^[^\s/]+\/[^\s/]+$/.test(name) ? name : undefined;
}

/** Reads a value of a type; undefined for other strings. Defanged values are refanged. */
export function valueOfType(type: string, text: string): ListedValue | undefined {
  const plain = plainValue(text);
  if (plain === '' || plain.length > MAX_LENGTH) return undefined;
  return Object.hasOwn(READINGS, type) ? READINGS[type]?.(plain) : listed(type, plain);
}

/** Reads a value and detects its type; undefined for other strings. Defanged values are refanged. */
export function detectedValue(text: string): ListedValue | undefined {
  const type = HASH_TYPES[text.length];
  if (type !== undefined && isHex(text)) return { type, value: text.toLowerCase(), isNetwork: false };
  const plain = plainValue(text);
  if (plain.length < 2 || plain.length > MAX_LENGTH) return undefined;
  const first = plain.charCodeAt(0);
  if ((first >= ZERO && first <= NINE) || plain.includes(':')) {
    const address = addressOf(plain);
    if (address !== undefined) return address;
  }
  if (plain.includes('/')) return urlOf(plain);
  if (plain.includes('@')) return emailOf(plain);
  if (plain.startsWith('CVE-')) return READINGS.cve?.(plain);
  return listed('domain', listedDomain(plain));
}

/**
 * Returns a domain in lower case and ASCII; undefined for a name of one label and for what is not a
 * name.
 */
export function listedDomain(text: string): string | undefined {
  const ascii = asciiDomain(text);
  return ascii !== undefined && LABELS.test(ascii) ? ascii : undefined;
}

/** Returns whether all characters are hexadecimal digits. */
export function isHex(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const isDigit = (code >= ZERO && code <= NINE) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);
    if (!isDigit) return false;
  }
  return true;
}

const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);

/** Returns a name in lower case, without punctuation. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function plainValue(text: string): string {
  const trimmed = text.trim();
  const mayBeDefanged = /[[({\\]|^h(?:xx|tx|xt|\*\*)p|^fxp/i.test(trimmed);
  return mayBeDefanged && trimmed.length <= MAX_LENGTH ? refangText(trimmed).text : trimmed;
}

function listed(type: string, value: string | undefined): ListedValue | undefined {
  return value === undefined ? undefined : { type, value, isNetwork: false };
}

function ofType(value: ListedValue | undefined, type: string): ListedValue | undefined {
  return value?.type === type ? value : undefined;
}

function hashOf(text: string, length: number): ListedValue | undefined {
  return text.length === length && isHex(text) ? listed(HASH_TYPES[length] ?? '', text.toLowerCase()) : undefined;
}

/** Reads an address, a network, and an address with a port, which is dropped. */
function addressOf(text: string): ListedValue | undefined {
  if (text.length > 60) return undefined;
  const slash = text.indexOf('/');
  if (slash !== -1) return networkOf(text.slice(0, slash), text.slice(slash + 1));
  if (isIPv4(text)) return { type: 'ipv4', value: text, isNetwork: false };
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):[0-9]{1,5}$/i.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  if (isIP(address) === 0 || !/[0-9]/.test(address)) return undefined;
  const canonical = canonicalAddress(address);
  return canonical === undefined
    ? undefined
    : { type: isIPv4(canonical) ? 'ipv4' : 'ipv6', value: canonical, isNetwork: false };
}

function networkOf(address: string, prefix: string): ListedValue | undefined {
  const isV6 = isIPv6(address);
  if ((!isV6 && !isIPv4(address)) || !/^[0-9]{1,3}$/.test(prefix)) return undefined;
  if (Number(prefix) > (isV6 ? 128 : 32)) return undefined;
  return { type: isV6 ? 'ipv6' : 'ipv4', value: `${address.toLowerCase()}/${Number(prefix)}`, isNetwork: true };
}

/** Reads a URL, also one without its scheme. */
function urlOf(text: string): ListedValue | undefined {
  if (/\s/.test(text)) return undefined;
  const hasScheme = /^[a-z][a-z0-9+.-]{1,30}:\/\//i.test(text);
  const host = URL.parse(hasScheme ? text : `http://${text}`)?.hostname ?? '';
  // Without a scheme, parts of an address and numbers are not the addresses that browsers make of them.
  const isWritten = hasScheme || text.toLowerCase().includes(host);
  const isHost = (isWritten && isIP(host.replace(/^\[|\]$/g, '')) !== 0) || listedDomain(host) !== undefined;
  return isHost || (hasScheme && LABEL.test(host)) ? listed('url', text) : undefined;
}

function emailOf(text: string): ListedValue | undefined {
  const at = text.lastIndexOf('@');
  const domain = listedDomain(text.slice(at + 1));
  if (at < 1 || domain === undefined || !EMAIL_NAME.test(text.slice(0, at))) return undefined;
  return listed('email_address', `${text.slice(0, at)}@${domain}`.toLowerCase());
}

function singleLabel(text: string): ListedValue | undefined {
  const lower = text.toLowerCase();
  return LABEL.test(lower) ? listed('hostname', lower) : undefined;
}
