import { InvalidInput } from '../../errors/errors.ts';

/** The address at which a browser reached the service, and its page. */
export interface RequestPlace {
  /** Origin of the service: its public URL, else that of the request; undefined if it is unusable. */
  readonly origin: string | undefined;
  /** True if the connection of the browser is encrypted, also if a proxy terminates TLS. */
  readonly isEncrypted: boolean;
  /** Header `Referer`. */
  readonly referer: string | undefined;
}

/** Length of a name (RFC 1035 section 2.3.4), a colon and a port. */
const MAX_HOST = 253 + 6;

/**
 * Returns the page that the provider sends the browser back to: `<origin>/login?provider=<name>`. The
 * origin is that of the page that starts the login (`Referer`) when it is of the service or one of `origins`, else that
 * of the service. No other page gets a code, even if the provider accepts every address. @throws InvalidInput `unusable_host`
 */
export function returnAddress(place: RequestPlace, provider: string, origins: readonly string[]): string {
  const page = webAddress(place.referer)?.origin;
  const isKnown = isOwnPage(place, page) || origins.some((one) => webAddress(one)?.origin === page);
  const origin = page !== undefined && isKnown ? page : usableOrigin(webAddress(place.origin));
  return `${origin}/login?provider=${encodeURIComponent(provider)}`;
}

/** Returns the page of the web interface for the answer of the provider; throws `unusable_host`. */
export function webReturnAddress(place: Pick<RequestPlace, 'origin'>, provider: string): string {
  return `${usableOrigin(webAddress(place.origin))}/sign-in/provider/${encodeURIComponent(provider)}`;
}

/** @throws InvalidInput `unusable_host` */
function usableOrigin(address: Pick<URL, 'origin'> | undefined): string {
  if (address !== undefined) return address.origin;
  throw new InvalidInput('unusable_host', 'The Host header names no address that a browser could be sent back to.');
}

/**
 * Returns whether the origin of a page has the scheme, host and port of the service. A page without
 * TLS, which others can modify in transit, is not a page of an encrypted service.
 */
export function isOwnPage(place: Pick<RequestPlace, 'origin' | 'isEncrypted'>, page: string | undefined): boolean {
  const own = webAddress(place.origin);
  if (own === undefined || page === undefined) return false;
  // Behind an untrusted proxy, the service knows its host but not its scheme.
  return page === (place.isEncrypted ? `https://${own.host}` : own.origin);
}

function webAddress(text = ''): URL | undefined {
  const url = URL.parse(text);
  const usable =
    url &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.host.length <= MAX_HOST;
  return usable ? url : undefined;
}
