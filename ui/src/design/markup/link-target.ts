export type LinkTarget =
  | { readonly kind: 'page'; readonly path: string }
  | {
      readonly kind: 'external';
      readonly href: string;
      /** In ASCII: a host of lookalike letters reads `xn--…`. */
      readonly host: string;
    };

const MAX_LENGTH = 4096;
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant.
const CONTROL = /[\u0000-\u001f\u007f]/;
/** Not pages: a link must not read or change anything by itself. */
const NOT_PAGES = /^\/(?:services|session|assets)(?:\/|$)/;

/**
 * Returns where a link of markdown or a record leads: to a page of the interface, or out over http or
 * https. Undefined for everything else (`javascript:`, `data:`, `//host`, names and passwords in front
 * of the host): that is shown as words.
 */
export function linkTarget(href: string, origin: string): LinkTarget | undefined {
  const written = href.trim();
  if (written.length > MAX_LENGTH || !/^(?:https?:\/\/|\/(?![/\\]))/i.test(written)) return undefined;
  // Browsers leave out line ends and tabs: a slash, a tab and a slash are another host.
  if (CONTROL.test(written)) return undefined;
  const address = URL.parse(written, origin);
  if (address === null || address.username !== '' || address.password !== '') return undefined;
  if (address.origin !== origin) {
    return /^https?:$/.test(address.protocol)
      ? { kind: 'external', href: address.href, host: address.host }
      : undefined;
  }
  if (NOT_PAGES.test(address.pathname)) return undefined;
  return { kind: 'page', path: `${address.pathname}${address.search}${address.hash}` };
}

/**
 * Returns the address of a picture of this origin; every other would tell another host who reads. Of
 * the services only pictures of users count: a browser asks for pictures by itself, and some GET
 * requests of a service change something.
 */
export function pictureAddress(source: string, origin: string): string | undefined {
  const address = isOwnPath(source) ? URL.parse(source, origin) : null;
  if (address === null || address.origin !== origin) return undefined;
  const { pathname } = address;
  if (/^\/(?:session|services|[^/]*%)/.test(pathname) && !USER_PICTURE.test(pathname)) return undefined;
  return `${pathname}${address.search}`;
}

/**
 * Returns the address that the `fetch` helper of overviews reads, of a service of this origin, by GET.
 * Overviews of Howler name its API by `/api/…`. Requests that change something, ask other systems or
 * are about credentials are left out, because the helper runs as the reader.
 */
export function fetchAddress(address: string, origin: string): string | undefined {
  const url = isOwnPath(address) ? URL.parse(address, origin) : null;
  // An encoded letter would hide a name from the list below.
  if (url === null || url.origin !== origin || url.pathname.includes('%')) return undefined;
  const path = url.pathname.startsWith('/api/') ? `/services/alerts${url.pathname}` : url.pathname;
  return FETCHED.some((expression) => expression.test(path)) ? `${path}${url.search}` : undefined;
}

const USER_PICTURE = /^\/services\/alerts\/api\/v1\/user\/avatar\/[^/]+$/;
const FETCHED = [
  /^\/services\/alerts\/api\/v\d+\/(?!auth\/|clue\/)/,
  /^\/services\/analysis\/api\/v4\/(?:file|result|submission|search|ontology|heuristics)\/(?!ai\/|code_summary\/)/,
];

function isOwnPath(address: string): boolean {
  return /^\/(?![/\\])/.test(address) && address.length <= MAX_LENGTH && !CONTROL.test(address);
}
