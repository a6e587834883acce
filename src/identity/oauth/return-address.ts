import { InvalidInput } from '../../errors/errors.ts';

/** What a request says of where it comes from and goes to. */
export interface RequestPlace {
  /** Header `Referer`. */
  readonly referer: string | undefined;
  /** Header `Host`. */
  readonly host: string | undefined;
  /** Of the connection. */
  readonly protocol: string;
}

/** A name (RFC 1035 section 2.3.4), a colon and a port. It is kept until the login ends, whoever began it. */
const MAX_HOST = 253 + 6;

/**
 * The page that the provider sends the browser back to: `<origin>/login?provider=<name>`. The origin is that of the page which starts the login
 * (`Referer`), when it is on the service's own host (whose TLS may end in front of it) or one of `origins`; else that of the service. So nobody
 * can have a code sent to a page of theirs, whatever the provider would accept.
 * @throws InvalidInput `unusable_host`
 */
export function returnAddress(place: RequestPlace, provider: string, origins: readonly string[]): string {
  const own = webAddress(`${place.protocol}://${place.host ?? ''}`);
  const page = place.referer === undefined ? undefined : webAddress(place.referer);
  const from = page && (page.host === own?.host || origins.some((one) => webAddress(one)?.origin === page.origin));
  const origin = (from ? page : own)?.origin;
  if (origin === undefined) {
    throw new InvalidInput('unusable_host', 'The Host header names no address that a browser could be sent back to.');
  }
  return `${origin}/login?provider=${encodeURIComponent(provider)}`;
}

function webAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  const usable =
    url &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.host.length <= MAX_HOST;
  return usable ? url : undefined;
}
