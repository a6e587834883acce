import { type AddressHex, parseAddress } from '../../../datastore/query-language/ip-address.ts';
import { asciiDomain } from '../../../indicators/domain-name.ts';

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/;

/** Returns the name of a host in lower case and ASCII, also one of one label; undefined for others. */
export function hostName(text: string): string | undefined {
  const name = asciiDomain(text);
  return name?.split('.').every((label) => label.length <= 63 && LABEL.test(label)) ? name : undefined;
}

/** Returns the names that a name is below, the nearest first: `b.c` and `c` for `a.b.c`. */
export function parentNames(name: string): readonly string[] {
  const parents: string[] = [];
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) parents.push(name.slice(dot + 1));
  return parents;
}

/** The host of a URL or of an e-mail address. */
export type Host = { readonly address: AddressHex } | { readonly name: string };

/** Returns an address for `1.2.3.4` and `[2001:db8::1]`, else a name; undefined for neither. */
export function readHost(text: string): Host | undefined {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const address = parseAddress(bare);
  if (address !== undefined) return { address };
  const name = hostName(text);
  return name === undefined ? undefined : { name };
}

/** A URL in the form in which URLs are compared. */
export interface ComparedUrl {
  /** Lower case with its colon; undefined for an address without a scheme. */
  readonly scheme: string | undefined;
  /** Everything after the scheme, with the host normalised, without the default port and the fragment. */
  readonly rest: string;
  readonly host: Host | undefined;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Reads a URL, also one without a scheme; undefined when it is not one. */
export function readUrl(text: string): ComparedUrl | undefined {
  const trimmed = text.trim();
  const hasScheme = SCHEME.test(trimmed);
  const url = URL.parse(hasScheme ? trimmed : `http://${trimmed}`);
  if (url === null || url.hostname === '') return undefined;
  const { protocol, username, password, port, search } = url;
  const name = url.hostname.replace(/\.$/, '').toLowerCase();
  const user = username === '' && password === '' ? '' : `${username}:${password}@`;
  // The parser has removed the port of http; without a scheme, the default port is not known.
  const path = url.pathname === '' ? '/' : url.pathname;
  const rest = `${user}${name}${port === '' ? '' : `:${port}`}${path}${search}`;
  return { scheme: hasScheme ? protocol : undefined, rest, host: readHost(name) };
}

/** Returns an e-mail address in lower case, and its domain in ASCII; undefined for others. */
export function readMailbox(text: string): { readonly mailbox: string; readonly domain: string } | undefined {
  const at = text.lastIndexOf('@');
  if (at < 1 || /\s/.test(text)) return undefined;
  const domain = hostName(text.slice(at + 1));
  return domain === undefined ? undefined : { mailbox: `${text.slice(0, at).toLowerCase()}@${domain}`, domain };
}
