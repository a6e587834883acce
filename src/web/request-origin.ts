import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Forbidden } from '../errors/errors.ts';
import { isOwnPage, type RequestPlace } from '../identity/oauth/return-address.ts';

/** The parts of a request by which its sender is judged. */
export interface RequestSource {
  readonly method: string;
  /** Path with query, as it was sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The addresses of the listener: the public one, and the one of the request. */
  readonly places: readonly Pick<RequestPlace, 'origin' | 'isEncrypted'>[];
}

/** The thing that a request reads: a page of the interface, the session, or data of a service. */
export type ReadKind = 'page' | 'session' | 'service';

/** Methods that links use. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** Header that scripts of this origin alone can add to a request: others have to ask first, by CORS. */
const SCRIPT = 'x-requested-with';
/** Addresses of services that elements of pages load, by GET and without a script. They change nothing. */
const LOADED_BY_ELEMENTS = [
  /^\/services\/alerts\/api\/v1\/user\/avatar\/[^/?]+(?:\?|$)/,
  /^\/services\/analysis\/api\/v4\/file\/download\/[0-9a-f]{64}\/(?:\?|$)/,
];

/**
 * Returns a check of the host that a request names. A page whose name an attacker points to this
 * machine (DNS rebinding) has the address of the attacker: it is neither an IP address, nor `localhost`, nor configured.
 * @param names of the listener: setting `host`, host of the public URL
 */
export function hostCheck(names: readonly (string | undefined)[]): (host: string | undefined) => void {
  const known = new Set(['localhost', ...names.flatMap((name) => (name === undefined ? [] : [name.toLowerCase()]))]);
  return (host) => {
    const name = hostname(host);
    const isOwn = name !== undefined && (known.has(name) || isIP(name) !== 0 || name.endsWith('.localhost'));
    if (isOwn) return;
    throw new Forbidden(
      'foreign_host',
      'This address is not known as one of the web interface. Use its IP address, or have an administrator set web.public_url (SVC_WEB_PUBLIC_URL) to the address.',
    );
  };
}

/** Returns the name of a header `Host` without its port, in lower case; undefined when it is unusable. */
function hostname(host: string | undefined): string | undefined {
  const name = URL.parse(`http://${host ?? ''}`)?.hostname;
  return name?.replace(/^\[|\]$/g, '').replace(/\.$/, '') || undefined;
}

/**
 * Rejects requests of pages of another origin. Browsers say where a request comes from in
 * `Sec-Fetch-Site`. On a plain connection to another machine they send none: writes have `Origin` then, and reads of
 * services have to name a script, because some routes of the public systems change something by GET.
 * @throws Forbidden `foreign_origin`
 */
export function assertOwnPage(request: RequestSource, reads: ReadKind): void {
  const isAccepted = READING.has(request.method) ? isOwnRead(request, reads) : isFromOwnPage(request);
  if (isAccepted) return;
  throw new Forbidden(
    'foreign_origin',
    'Requests of pages of another origin are not accepted. Programs use the ports of the services, or send the header "Sec-Fetch-Site: same-origin".',
  );
}

function isOwnRead({ url, headers }: RequestSource, reads: ReadKind): boolean {
  const site = headers['sec-fetch-site'];
  if (reads === 'page' || site === 'same-origin') return true;
  // A link of a mail or the address bar (`none`) has no page, either.
  if (site !== undefined && site !== 'none') return false;
  return reads === 'session' || headers[SCRIPT] !== undefined || LOADED_BY_ELEMENTS.some((path) => path.test(url));
}

/** Rejects an upgrade to a websocket of a page of another origin. @throws Forbidden `foreign_origin` */
export function assertOwnUpgrade(request: RequestSource): void {
  if (isFromOwnPage(request)) return;
  throw new Forbidden('foreign_origin', 'Websockets of pages of another origin are not accepted.');
}

function isFromOwnPage({ headers, places }: RequestSource): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? places.some((place) => isOwnPage(place, headers.origin)) : site === 'same-origin';
}
