import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { InvalidInput } from '../../errors/errors.ts';
import { isLinkLocalAddress, isPublicAddress } from '../../identity/limits/public-addresses.ts';

export interface AddressRules {
  /** True if addresses that are not public are allowed: `enrichment.registration.private_addresses`. */
  readonly privateAddresses: boolean;
  /** Resolves the name of a host; for tests. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** Milliseconds that a name server may take. */
const TIMEOUT = 3000;

/**
 * Rejects the URL of a source that is registered while the program runs.
 * A name that cannot be resolved now is accepted: each connection checks the address again.
 * @throws InvalidInput `source_address_refused`
 */
export async function checkSourceAddress(text: string, rules: AddressRules): Promise<void> {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw refused(text, 'is not a valid address. Use one that starts with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '') throw refused(url.host, 'must not be sent with a user or password.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) > 0 ? [host] : await resolved(host, rules.resolve ?? resolve);
  for (const address of addresses) {
    if (isLinkLocalAddress(address)) throw refused(host, 'is a link-local address, which no source may have.');
    if (!rules.privateAddresses && !isPublicAddress(address)) {
      throw refused(host, 'is not a public address, and enrichment.registration.private_addresses is off.');
    }
  }
}

async function resolve(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

async function resolved(
  host: string,
  resolve: (host: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((done) => {
    timer = setTimeout(done, TIMEOUT, []);
  });
  try {
    return await Promise.race([resolve(host), late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

function refused(address: string, reason: string): InvalidInput {
  return new InvalidInput('source_address_refused', `"${address.slice(0, 200)}" ${reason}`, { at: 'url' });
}
