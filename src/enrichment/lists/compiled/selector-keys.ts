import { parseAddress } from '../../../datastore/query-language/ip-address.ts';
import {
  addressKey,
  hashKey,
  isHash,
  type Key,
  type KeyTable,
  kindOf,
  otherKey,
  REACH,
  type Reach,
  urlKey,
} from './entry-keys.ts';
import { type Host, hostName, parentNames, readMailbox, readUrl } from './host-names.ts';

/** The way in which an entry was found, for people. */
export type FoundBy = 'value' | 'network' | 'parent_domain' | 'host' | 'mail_domain' | 'pattern';

/** One search in a table of compiled lists. */
export interface Probe {
  readonly table: KeyTable | 'ranges';
  readonly key: Key;
  /** Entries of domains with at least this reach match. */
  readonly reach: Reach;
  readonly by: FoundBy;
}

/** A value of a selector, ready to be searched in any list. */
export interface SelectorKeys {
  readonly type: string;
  readonly probes: readonly Probe[];
  /** Lower case, for substrings and expressions. */
  readonly text: string;
}

/** Returns all searches that find the entries which match a value. */
export function keysOfSelector(type: string, value: string): SelectorKeys {
  const probes: Probe[] = [];
  const add = (table: Probe['table'], key: Key, by: FoundBy = 'value', reach: Reach = REACH.exact) =>
    probes.push({ table, key, by, reach });
  const addAddress = (hexadecimal: string, by: FoundBy) => {
    const key = addressKey(hexadecimal);
    add('addresses', key, by);
    add('ranges', key, by === 'value' ? 'network' : by);
  };
  const addName = (name: string, by: FoundBy, reach: Reach) => {
    add('domains', name, by, reach);
    const above = reach === REACH.exact ? REACH.hostname : reach;
    for (const parent of parentNames(name)) add('domains', parent, by === 'value' ? 'parent_domain' : by, above);
  };
  const addHost = (host: Host | undefined) => {
    if (host === undefined) return;
    if ('address' in host) addAddress(host.address, 'host');
    else addName(host.name, 'host', REACH.exact);
  };
  const trimmed = value.trim();
  switch (kindOf(type)) {
    case 'hash':
      if (isHash(type, trimmed)) add('hashes', hashKey(trimmed));
      break;
    case 'address': {
      const address = parseAddress(trimmed);
      if (address !== undefined) addAddress(address, 'value');
      break;
    }
    case 'domain': {
      const name = hostName(trimmed);
      if (name !== undefined) addName(name, 'value', REACH.exact);
      break;
    }
    case 'email_address': {
      const mail = readMailbox(trimmed);
      if (mail === undefined) break;
      add('emails', mail.mailbox);
      addName(mail.domain, 'mail_domain', REACH.domain);
      break;
    }
    case 'url': {
      const url = readUrl(trimmed);
      if (url === undefined) break;
      // A list and a caller may each leave out the scheme.
      const schemes = url.scheme === undefined ? [undefined, 'http:', 'https:'] : [url.scheme, undefined];
      for (const scheme of schemes) add('urls', urlKey(scheme, url.rest));
      addHost(url.host);
      break;
    }
  }
  add('others', otherKey(type, trimmed));
  add('others', otherKey('', trimmed));
  return { type, probes, text: trimmed.toLowerCase() };
}
