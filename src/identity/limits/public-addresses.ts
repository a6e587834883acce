import { canonicalAddress, Networks } from '../networks.ts';
import { addressBytes, addressText, embeddedAddress, reservedNetwork, specialNetworks } from './special-networks.ts';

/** Metadata services of clouds outside of the link-local networks. */
const METADATA_SERVICES: ReadonlySet<string> = new Set(['fd00:ec2::254', '100.100.100.200']);

/** Returns whether requests may go to an address: it is public, or in one of the allowed networks. */
export function outboundAddressTest(allowedNetworks: readonly string[]): (address: string) => boolean {
  const allowed =
    allowedNetworks.length === 0 ? undefined : new Networks(allowedNetworks, 'analysis.outbound.allowed_networks');
  return (text) => {
    const address = canonicalAddress(text);
    if (address === undefined) return false;
    if (allowed?.admit(address)) return true;
    return reservedNetwork(addressBytes(address) ?? new Uint8Array()) === undefined;
  };
}

/** Returns true for an address of the public internet; false for others and for what is no address. */
export const isPublicAddress = outboundAddressTest([]);

/**
 * Returns true for a link-local address, where clouds serve credentials of the machine, or another
 * metadata service: no source is at either.
 */
export function isLinkLocalAddress(text: string): boolean {
  const address = canonicalAddress(text);
  if (address === undefined) return false;
  return withEmbedded(address).some(
    (one) =>
      METADATA_SERVICES.has(addressText(one)) || specialNetworks(one).some(({ purpose }) => purpose === 'link_local'),
  );
}

/** Returns the bytes of an address and of the IPv4 address that it carries. */
function withEmbedded(address: string): readonly Uint8Array[] {
  const bytes = addressBytes(address) ?? new Uint8Array();
  const inside = embeddedAddress(bytes);
  return inside === undefined ? [bytes] : [bytes, inside.address];
}
