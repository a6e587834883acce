import { isIP } from 'node:net';
import type { Settings } from '../../config/config-schema.ts';
import { Forbidden } from '../../errors/errors.ts';

/** The host name that security keys are registered for, and the pages that may use them (WebAuthn). */
export interface RelyingParty {
  readonly id: string;
  /** Returns whether a page of this origin may use the keys. */
  allows(origin: string): boolean;
}

/** The default of `analysis.ui.fqdn`. */
const UNSET = 'localhost';

/**
 * Returns the relying party of the installation, one for all services, which share their accounts. The
 * settings alone decide: the header `Host` of a request may come from a page that imitates this installation.
 * The identifier is `analysis.ui.fqdn`, else the host of a public URL. With public URLs at that host or below it, only their
 * pages count; else pages of that host with TLS, at any port, and those of `localhost` without TLS.
 * @param publicUrls configured addresses of the installation; undefined and null: not set
 */
export function relyingParty(
  fqdn: string,
  publicUrls: readonly (string | null | undefined)[],
): RelyingParty | undefined {
  const urls = publicUrls.map((url) => URL.parse(url ?? '')).filter((url) => url !== null);
  const id = (fqdn === UNSET ? (urls[0]?.hostname ?? UNSET) : fqdn).toLowerCase();
  if (isIP(id.replaceAll(/[[\]]/g, '')) !== 0) return undefined;
  const origins = new Set(
    urls.filter(({ hostname }) => hostname === id || hostname.endsWith(`.${id}`)).map(({ origin }) => origin),
  );
  return { id, allows: (origin) => (origins.size > 0 ? origins.has(origin) : isPageOf(id, origin)) };
}

/** Returns the relying party that the settings of the program name. */
export function configuredRelyingParty(
  settings: Pick<Settings, 'analysis' | 'http' | 'web'>,
): RelyingParty | undefined {
  const { web, http, analysis } = settings;
  return relyingParty(analysis.ui.fqdn, [web.public_url, http.public_url, analysis.public_url]);
}

/** @throws Forbidden `security_keys_need_host_name` */
export function requireRelyingParty(party: RelyingParty | undefined): RelyingParty {
  if (party !== undefined) return party;
  throw new Forbidden(
    'security_keys_need_host_name',
    'Security keys are registered for a host name, and this installation is configured with an IP address. Set analysis.ui.fqdn or http.public_url to a name.',
  );
}

function isPageOf(id: string, origin: string): boolean {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin || url.hostname !== id) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && id === 'localhost');
}
