import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { canonicalAddress, Networks } from '../../identity/networks.ts';

const MAX_PORT = 65_535;
/** A name (RFC 1035 section 2.3.4), a colon and a port. */
const MAX_HOST_LENGTH = 253 + 6;

/** Returns whether the peer of an address is a trusted proxy. */
export type ProxyTest = (address: string | undefined) => boolean;

/**
 * Returns the test for peers whose `X-Forwarded-*` headers count; undefined without trusted proxies.
 * @param proxies setting `http.trusted_proxies`
 * @throws InvalidInput `invalid_setting`
 */
export function trustedProxyTest(proxies: readonly string[]): ProxyTest | undefined {
  if (proxies.length === 0) return undefined;
  const networks = new Networks(proxies, 'http.trusted_proxies');
  return (address) => networks.admit(address);
}

/**
 * Replaces the `X-Forwarded-*` headers of a trusted proxy by the values that count, before anything
 * reads them.
 *
 * `X-Forwarded-For` keeps the addresses up to the first that no trusted proxy vouches for, in canonical form and without
 * ports. At an entry that is not an address the chain ends, and the caller counts as the proxy that wrote the entry.
 * `X-Forwarded-Host` and `X-Forwarded-Proto` keep the entry of the nearest proxy. A value that is not a host, or neither
 * `http` nor `https`, is removed.
 */
export function normaliseForwardedHeaders({ headers, socket }: IncomingMessage, isTrusted: ProxyTest): void {
  if (!isTrusted(socket.remoteAddress)) return;
  replace(headers, 'x-forwarded-for', (value) => vouchedAddresses(value, isTrusted));
  replace(headers, 'x-forwarded-host', (value) => usableHost(lastEntry(value)));
  replace(headers, 'x-forwarded-proto', (value) => /^https?$/i.exec(lastEntry(value))?.[0].toLowerCase());
}

function replace(headers: IncomingHttpHeaders, name: string, change: (value: string) => string | undefined): void {
  const sent = headers[name];
  if (sent === undefined) return;
  const value = change(String(sent));
  if (value === undefined) delete headers[name];
  else headers[name] = value;
}

function vouchedAddresses(header: string, isTrusted: ProxyTest): string | undefined {
  const vouched: string[] = [];
  for (const entry of header.split(',').reverse()) {
    const address = addressOf(entry.trim());
    if (address === undefined) break;
    vouched.unshift(address);
    if (!isTrusted(address)) break;
  }
  return vouched.length === 0 ? undefined : vouched.join(', ');
}

/** The address of `address`, `ipv4:port` or `[ipv6]:port`; undefined for anything else. */
function addressOf(entry: string): string | undefined {
  const {
    v6,
    v4,
    port = '0',
  } = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::(?<port>\d{1,5}))?$/.exec(entry)?.groups ?? {};
  return Number(port) > MAX_PORT ? undefined : canonicalAddress(v6 ?? v4 ?? entry);
}

function lastEntry(value: string): string {
  return value.slice(value.lastIndexOf(',') + 1).trim();
}

function usableHost(host: string): string | undefined {
  if (host.length > MAX_HOST_LENGTH || !/^(?:[a-z\d._-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host)) return undefined;
  return URL.canParse(`http://${host}`) ? host : undefined;
}
