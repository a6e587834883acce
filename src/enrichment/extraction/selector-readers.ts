import { isIPv4, isIPv6 } from 'node:net';
import { parse } from 'tldts';
import { addressBytes, reservedNetwork } from '../../identity/limits/special-networks.ts';
import { asciiDomain, MAX_DOMAIN_LENGTH } from '../../indicators/domain-name.ts';

/** A selector found in text. */
export interface ExtractedSelector {
  readonly type: string;
  readonly value: string;
  /** Place of the value in the text, in UTF-16 code units; `end` is the first place after it. */
  readonly start: number;
  readonly end: number;
  /** Port that follows an address. */
  readonly port?: number;
  /** Length of the prefix, if the address is written as a network. */
  readonly prefix?: number;
  /** Purpose of the reserved network that an address is in. */
  readonly reserved?: string;
}

/** Describes what surrounds a candidate. */
export interface Surroundings {
  /** The author defanged it, so it is an indicator. */
  readonly isDefanged: boolean;
  readonly before: string;
  readonly after: string;
}

export type FoundSelector = Omit<ExtractedSelector, 'start' | 'end'>;

/** Top-level domains that are endings of files, too: names of two parts with one of them are files. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(
  'bar cab cfd mk md mov pl pm ps pub py rs sh so tf vi zip'.split(' '),
);
/** Names of values in programs and logs, which members follow. */
const PROGRAM_NAMES: ReadonlySet<string> = new Set(
  'this self console window document process module exports req res request response err error obj os sys java javax'.split(
    ' ',
  ),
);
const LABEL = /^(?!-)[a-z0-9-]{1,63}$/;
const ONION = /^(?:[a-z0-9-]+\.)*(?:[a-z2-7]{16}|[a-z2-7]{56})\.onion$/;

/** Returns the ASCII form of a name below a public suffix, in lower case; undefined for others. */
export function publicDomain(name: string): string | undefined {
  if (name.length > MAX_DOMAIN_LENGTH || !name.includes('.') || name.endsWith('.')) return undefined;
  const ascii = asciiDomain(name);
  if (ascii === undefined) return undefined;
  const labels = ascii.split('.');
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label) && !label.endsWith('-'))) return undefined;
  if (ONION.test(ascii)) return ascii;
  const { isIcann, domain } = parse(ascii, { extractHostname: false, validateHostname: false });
  return isIcann === true && domain !== null ? ascii : undefined;
}

/** Returns the domain that a word names, unless it looks like a file or a member of a program. */
export function readDomain(word: string, { isDefanged, before, after }: Surroundings): FoundSelector | undefined {
  // Names of services begin with an underscore: _dmarc.example.org.
  const name = word.replace(/^(?:_[A-Za-z0-9-]{1,62}\.)+/, '');
  const value = publicDomain(name);
  if (value === undefined) return undefined;
  if (isDefanged) return { type: 'domain', value };
  if (before === '\\' || before === '/' || before === '$' || after === '(' || after === '\\') return undefined;
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  // "Foo.Bar" is a name in a program; "EXAMPLE.ORG" and "Example.org" are domains.
  if (last !== last.toLowerCase() && name !== name.toUpperCase()) return undefined;
  if (PROGRAM_NAMES.has((labels[0] ?? '').toLowerCase()) && labels.length === 2) return undefined;
  const ending = last.toLowerCase();
  if (labels.length === 2 && FILE_ENDINGS.has(ending)) return undefined;
  return { type: 'domain', value };
}

/** Words before four numbers with dots that are a version. */
const VERSION = /(?:^|[^A-Za-z])(?:v|ver|version|release|build|firmware|revision|rev)\.?[\s:="']{0,3}$/i;
const BEFORE_VERSION = 16;

/** Returns whether the address is the version of a product: `version 1.2.3.4`, `Chrome/1.2.3.4`. */
export function isVersion(before: string): boolean {
  const near = before.slice(-BEFORE_VERSION);
  return VERSION.test(near) || /[A-Za-z]\/$/.test(near);
}

/** Returns the address that a word is, with what `/24` or `/443` after it means. */
export function readAddress(word: string): FoundSelector | undefined {
  const first = word.charCodeAt(0);
  if ((first < ZERO || first > NINE) && !word.includes(':')) return undefined;
  const slash = word.indexOf('/');
  const address = slash === -1 ? word : word.slice(0, slash);
  const isV4 = isIPv4(address);
  if (!isV4 && !isIPv6(address)) return undefined;
  // Programs name members with two colons, too: std::feed.
  if (!isV4 && !/[0-9]/.test(address)) return undefined;
  const found = { type: isV4 ? 'ipv4' : 'ipv6', value: address.toLowerCase(), ...reservedMark(address) };
  const number = slash === -1 ? Number.NaN : numberAfter(word, slash + 1);
  if (Number.isNaN(number)) return found;
  if (number <= (isV4 ? 32 : 128)) return { ...found, prefix: number };
  return number <= MAX_PORT ? { ...found, port: number } : found;
}

const MAX_PORT = 65_535;
const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);

/** Returns the port that digits write, if they do. */
export function portOf(digits: string): number | undefined {
  const port = numberAfter(digits, 0);
  return port <= MAX_PORT ? port : undefined;
}

function numberAfter(word: string, place: number): number {
  const digits = word.slice(place);
  return /^[0-9]{1,5}$/.test(digits) ? Number(digits) : Number.NaN;
}

function reservedMark(address: string): { reserved?: string } {
  const bytes = addressBytes(address);
  const reserved = bytes && reservedNetwork(bytes)?.purpose;
  return reserved === undefined ? {} : { reserved };
}

/** Returns the e-mail address that a word is. */
export function readEmail(word: string): FoundSelector | undefined {
  const at = word.indexOf('@');
  const local = word.slice(0, at);
  const host = word.slice(at + 1);
  if (!/^[A-Za-z0-9!#$%&'*+=?^_{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+=?^_{|}~-]+)*$/.test(local) || local.length > 64) {
    return undefined;
  }
  return publicDomain(host) === undefined ? undefined : { type: 'email_address', value: word };
}

const HASH_TYPES: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256', 128: 'sha512' };
const CVE = /^CVE-(?:19|20)[0-9]{2}-[0-9]{4,7}$/i;
/** Tactics, techniques with their parts, groups, software, mitigations, campaigns and data sources. */
const ATTACK = /^(?:TA[0-9]{4}|T[0-9]{4}(?:\.[0-9]{3})?|[GSMC][0-9]{4}|DS[0-9]{4})$/;

/** Returns the hash, vulnerability or ATT&CK identifier that a word is. */
export function readIdentifier(word: string): FoundSelector | undefined {
  const hash = HASH_TYPES[word.length];
  if (hash !== undefined && /^[0-9a-fA-F]+$/.test(word) && !/^(.)\1*$/.test(word)) return { type: hash, value: word };
  if (word.length >= 13 && word.length <= 16 && CVE.test(word)) return { type: 'cve', value: word.toUpperCase() };
  if (word.length >= 5 && word.length <= 9 && ATTACK.test(word)) return { type: 'attack_id', value: word };
  return undefined;
}

const SCHEMES: ReadonlySet<string> = new Set(
  'http https ftp ftps sftp ws wss ldap ldaps rmi smb tcp udp rtsp ssh telnet'.split(' '),
);
const AUTHORITY = /^(?:[^\s/?#@]{1,256}@)?(\[[0-9a-fA-F:.%]{2,64}\]|[A-Za-z0-9._\u00a1-\uffef-]{3,253})/;

/**
 * Returns the marks of a URL by its scheme and authority; undefined if the host is neither an address
 * nor below a public suffix.
 */
export function readUrl(scheme: string, rest: string): Pick<FoundSelector, 'reserved'> | undefined {
  if (!SCHEMES.has(scheme.toLowerCase())) return undefined;
  const host = AUTHORITY.exec(rest)?.[1];
  if (host === undefined) return undefined;
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIPv4(address) || isIPv6(address)) return reservedMark(address);
  return publicDomain(host) === undefined ? undefined : {};
}
