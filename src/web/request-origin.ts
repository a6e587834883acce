import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Forbidden } from '../errors/errors.ts';
import { isOwnPage, type RequestPlace } from '../identity/oauth/return-address.ts';

/** The parts of a request by which its sender is judged. */
export interface JudgedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The addresses of the listener: the public one, and the one of the request. */
  readonly places: readonly Pick<RequestPlace, 'origin' | 'isEncrypted'>[];
}

/** Methods that change nothing and that links use. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

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
 * `Sec-Fetch-Site`, or, on a plain connection to another machine, in `Origin` alone.
 * @param reads the request may come from anywhere, because its answer holds nothing of the user
 * @throws Forbidden `foreign_origin`
 */
export function assertOwnPage({ method, headers, places }: JudgedRequest, reads: 'anything' | 'own_data'): void {
  const site = headers['sec-fetch-site'];
  if (READING.has(method)) {
    // A link or the address bar has no page (`none`); programs send no such header.
    if (reads === 'anything' || site === undefined || site === 'same-origin' || site === 'none') return;
  } else if (isFromOwnPage(headers, places)) return;
  throw new Forbidden(
    'foreign_origin',
    'Requests of pages of another origin are not accepted. Programs use the ports of the services, or send the header "Sec-Fetch-Site: same-origin".',
  );
}

/** Rejects an upgrade to a websocket of a page of another origin. @throws Forbidden `foreign_origin` */
export function assertOwnUpgrade({ headers, places }: Omit<JudgedRequest, 'method'>): void {
  if (isFromOwnPage(headers, places)) return;
  throw new Forbidden('foreign_origin', 'Websockets of pages of another origin are not accepted.');
}

function isFromOwnPage(headers: IncomingHttpHeaders, places: JudgedRequest['places']): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? places.some((place) => isOwnPage(place, headers.origin)) : site === 'same-origin';
}
