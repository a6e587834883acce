import { createHash } from 'node:crypto';
import { type AddressRange, parseAddress, parseNetwork } from '../../../datastore/query-language/ip-address.ts';
import type { ListEntry } from '../list-entry.ts';
import { hostName, readMailbox, readUrl } from './host-names.ts';

/** Tables of a compiled list with keys, each for one kind of value. */
export const KEY_TABLES = ['hashes', 'addresses', 'domains', 'urls', 'emails', 'others'] as const;
export type KeyTable = (typeof KEY_TABLES)[number];

export type Key = string | Uint8Array;

/** Says what the key of a domain also matches. */
export const REACH = { exact: 0, hostname: 1, domain: 2 } as const;
export type Reach = (typeof REACH)[keyof typeof REACH];

/** The place of an entry in a compiled list. */
export type EntryPlace =
  | { readonly kind: 'key'; readonly table: KeyTable; readonly key: Key; readonly reach: Reach }
  | { readonly kind: 'range'; readonly range: AddressRange }
  | { readonly kind: 'pattern'; readonly match: 'substring' | 'regex'; readonly type: string }
  /** A reason to leave it out. */
  | { readonly kind: 'left_out'; readonly reason: string };

/** Bytes of the kinds of hashes that the table has: MD5, SHA-1, SHA-256, SHA-512. */
const HASH = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i;
const HASH_TYPES: ReadonlySet<string> = new Set(['md5', 'sha1', 'sha256', 'sha512']);
const MAX_VALUE = 4096;

/** Types that are stored as another type. */
const SAME_TYPES: Readonly<Record<string, string>> = {
  ip: 'address',
  ipv4: 'address',
  ipv6: 'address',
  hostname: 'domain',
  email: 'email_address',
  uri: 'url',
  md5: 'hash',
  sha1: 'hash',
  sha256: 'hash',
  sha512: 'hash',
};

/** Returns the kind of values that a type of selector has here. */
export function kindOf(type: string): string {
  return Object.hasOwn(SAME_TYPES, type) ? (SAME_TYPES[type] ?? type) : type;
}

/** Returns where an entry belongs, by its match and its type, or by what its value looks like. */
export function placeOf({ match, type, value: text }: ListEntry): EntryPlace {
  const value = text.trim();
  if (value === '') return leftOut('is empty');
  if (value.length > MAX_VALUE) return leftOut(`is longer than ${MAX_VALUE} characters`);
  if (match === 'substring' || match === 'regex') return { kind: 'pattern', match, type: type ?? '' };
  if (match === 'cidr') return addressPlace(value) ?? leftOut('is not an address or a network');
  if (match === 'domain' || match === 'hostname') return domainPlace(value.replace(/^\*?\./, ''), REACH[match]);
  if (type === undefined) return guessedPlace(value);
  return typedPlace(type.toLowerCase(), value);
}

function typedPlace(type: string, value: string): EntryPlace {
  const place = readers(kindOf(type))?.(value);
  return place ?? keyed('others', otherKey(type, value));
}

/** Returns what reads values of a kind; undefined for a kind without a table of its own. */
function readers(kind: string): ((value: string) => EntryPlace | undefined) | undefined {
  switch (kind) {
    case 'hash':
      return hashPlace;
    case 'address':
      return addressPlace;
    case 'domain':
      return (value) => domainPlace(value, REACH.exact);
    case 'url':
      return urlPlace;
    case 'email_address':
      return mailPlace;
    default:
      return undefined;
  }
}

function guessedPlace(value: string): EntryPlace {
  const known = hashPlace(value) ?? addressPlace(value);
  if (known !== undefined) return known;
  if (value.includes('@') && !value.includes('/')) return mailPlace(value) ?? keyed('others', otherKey('', value));
  const place = value.includes('/')
    ? urlPlace(value)
    : value.includes('.')
      ? domainPlace(value, REACH.exact)
      : undefined;
  return place === undefined || place.kind === 'left_out' ? keyed('others', otherKey('', value)) : place;
}

function hashPlace(value: string): EntryPlace | undefined {
  return HASH.test(value) ? keyed('hashes', hashKey(value)) : undefined;
}

function addressPlace(value: string): EntryPlace | undefined {
  const address = parseAddress(value);
  if (address !== undefined) return keyed('addresses', addressKey(address));
  const range = value.includes('/') ? parseNetwork(value) : undefined;
  if (range === undefined) return undefined;
  return range.first === range.last ? keyed('addresses', addressKey(range.first)) : { kind: 'range', range };
}

function domainPlace(value: string, reach: Reach): EntryPlace {
  const address = addressPlace(value);
  if (address !== undefined) return address;
  const name = hostName(value);
  return name === undefined
    ? leftOut('is not the name of a host')
    : { kind: 'key', table: 'domains', key: name, reach };
}

function urlPlace(value: string): EntryPlace | undefined {
  const url = readUrl(value);
  return url === undefined ? undefined : keyed('urls', urlKey(url.scheme, url.rest));
}

function mailPlace(value: string): EntryPlace | undefined {
  const mail = readMailbox(value);
  return mail === undefined ? undefined : keyed('emails', mail.mailbox);
}

function keyed(table: KeyTable, key: Key): EntryPlace {
  return { kind: 'key', table, key, reach: REACH.exact };
}

function leftOut(reason: string): EntryPlace {
  return { kind: 'left_out', reason };
}

export function isHash(type: string, value: string): boolean {
  return HASH_TYPES.has(type) && HASH.test(value);
}

export function hashKey(hexadecimal: string): Uint8Array {
  return Buffer.from(hexadecimal, 'hex');
}

export function addressKey(hexadecimal: string): Uint8Array {
  return Buffer.from(hexadecimal, 'hex');
}

/** Returns the key of a URL: long ones take as much as short ones. */
export function urlKey(scheme: string | undefined, rest: string): Uint8Array {
  return digest(`${scheme ?? ''}//${rest}`);
}

/** Returns the key of a value without a table of its own. @param type empty: every type */
export function otherKey(type: string, value: string): Uint8Array {
  return digest(`${type}\0${value.trim().toLowerCase()}`);
}

/** The first 128 bits of SHA-256, for which no collision is known. */
function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest().subarray(0, 16);
}
