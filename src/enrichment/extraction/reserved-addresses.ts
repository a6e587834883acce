import { BlockList, isIPv6 } from 'node:net';

/** Networks that are not on the public internet, by their purpose (IANA special-purpose registries). */
const RESERVED: Readonly<Record<string, readonly string[]>> = {
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  loopback: ['127.0.0.0/8', '::1/128'],
  link_local: ['169.254.0.0/16', 'fe80::/10'],
  shared: ['100.64.0.0/10'],
  documentation: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  benchmarking: ['198.18.0.0/15', '2001:2::/48'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  broadcast: ['255.255.255.255/32'],
  unspecified: ['0.0.0.0/32', '::/128'],
  reserved: ['0.0.0.0/8', '192.0.0.0/24', '240.0.0.0/4', '100::/64'],
};

const LISTS = Object.entries(RESERVED).map(([purpose, networks]) => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return [purpose, list] as const;
});

/** Returns the purpose of the reserved network that an address is in; undefined for a public address. */
export function reservedPurpose(address: string): string | undefined {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return LISTS.find(([, list]) => list.check(address, family))?.[0];
}
