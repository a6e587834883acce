/** Characters of the longest link; browsers and proxies refuse longer ones. */
const MAX_LINK = 4_000;

/**
 * Returns the link to a path below an address; undefined without an address and for a link that is
 * too long.
 */
export type LinkTo = (path: string) => string | undefined;

/** Addresses that a source can link to. */
export interface LinkAddresses {
  /** The Howler or Assemblyline that the source asks; empty when it asks this installation. */
  readonly remote: string;
  /** The web interface of this installation (`web.public_url`); null when it has no public address. */
  readonly web: string | null;
  /** Returns the address of the service of this installation; undefined before it listens. */
  readonly service: () => string | undefined;
}

/** The links of a source to each kind of site. */
export interface LinksBySite<Links> {
  /** Pages of Howler or Assemblyline. */
  readonly remote: (linkTo: LinkTo) => Links;
  /** Pages of the web interface of this program. */
  readonly pages: (linkTo: LinkTo) => Links;
  /** Routes of the service, which programs can call. */
  readonly routes: (linkTo: LinkTo) => Links;
}

/**
 * Returns the links of a source: to the Howler or Assemblyline that it asks, else to the web
 * interface of this installation, else, when that has no public address, to the routes of the
 * service.
 */
export function linksOf<Links>({ remote, web, service }: LinkAddresses, sites: LinksBySite<Links>): Links {
  if (remote !== '') return sites.remote((path) => linkBelow(remote, path));
  if (web !== null) return sites.pages((path) => linkBelow(web, path));
  return sites.routes((path) => linkBelow(service(), path));
}

function linkBelow(address: string | undefined, path: string): string | undefined {
  const link = address === undefined ? undefined : `${address.replace(/\/+$/, '')}${path}`;
  return link === undefined || link.length > MAX_LINK ? undefined : link;
}
