import { BlockList, isIPv6 } from 'node:net';
import { canonicalAddress, Networks } from '../networks.ts';

/**
 * Networks that are not the public internet (IANA special-purpose registries).
 * Private, shared, loopback, link-local with the metadata services of clouds, documentation, multicast, reserved.
 */
const NOT_PUBLIC: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '100::/64',
  '64:ff9b:1::/48',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** The prefixes of IPv6 addresses that carry an IPv4 address: NAT64, and 6to4 behind its first group. */
const NAT64 = /^64:ff9b::(?:([\da-f]{1,4}):)?([\da-f]{1,4})$/;
const SIX_TO_FOUR = /^2002:([\da-f]{1,4}):([\da-f]{1,4}):/;

/** Link-local networks, where clouds serve credentials of the machine, and their addresses elsewhere. */
const LINK_LOCAL: readonly string[] = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128', '100.100.100.200/32'];

const notPublic = listOf(NOT_PUBLIC);
const linkLocal = listOf(LINK_LOCAL);

/** Returns whether requests may go to an address: it is public, or in one of the allowed networks. */
export function outboundAddressTest(allowedNetworks: readonly string[]): (address: string) => boolean {
  const allowed =
    allowedNetworks.length === 0 ? undefined : new Networks(allowedNetworks, 'analysis.outbound.allowed_networks');
  return (text) => {
    const address = canonicalAddress(text);
    if (address === undefined) return false;
    if (allowed?.admit(address)) return true;
    return !isListed(address, notPublic);
  };
}

/** Returns true for an address of the public internet; false for others and for what is no address. */
export const isPublicAddress = outboundAddressTest([]);

/** Returns true for a link-local address or the metadata service of a cloud, which no source is at. */
export function isLinkLocalAddress(text: string): boolean {
  const address = canonicalAddress(text);
  return address !== undefined && isListed(address, linkLocal);
}

function isListed(address: string, list: BlockList): boolean {
  const inside = carriedAddress(address);
  return [address, ...(inside === undefined ? [] : [inside])].some((one) =>
    list.check(one, isIPv6(one) ? 'ipv6' : 'ipv4'),
  );
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [start = '', length] = network.split('/');
    list.addSubnet(start, Number(length), isIPv6(start) ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Returns the IPv4 address that an IPv6 address stands for, if any. */
function carriedAddress(address: string): string | undefined {
  const [, high, low] = NAT64.exec(address) ?? SIX_TO_FOUR.exec(`${address}:`) ?? [];
  if (low === undefined) return undefined;
  const groups = [high ?? '0', low].map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 255]).join('.');
}
