import { isIPv4, isIPv6 } from 'node:net';

/** A network that is not for ordinary hosts, or that has a meaning of its own. */
export interface SpecialNetwork {
  /** In CIDR notation. */
  readonly network: string;
  readonly purpose: string;
  /** Packets to it travel over the public internet. */
  readonly isPublic: boolean;
  readonly name: string;
  /** The document that defines it, `RFC 1918`. */
  readonly rfc: string;
}

/**
 * The special-purpose registries of IANA for IPv4 and IPv6, with multicast and deprecated networks.
 * A line has the network, its purpose, `+` if the public internet routes it, the number of the RFC, and the name.
 */
const REGISTRY = `
0.0.0.0/8           reserved      - 791  this network
0.0.0.0/32          unspecified   - 1122 the unspecified address
10.0.0.0/8          private       - 1918 private use
100.64.0.0/10       shared        - 6598 shared address space of carrier-grade NAT
127.0.0.0/8         loopback      - 1122 loopback
169.254.0.0/16      link_local    - 3927 link-local
172.16.0.0/12       private       - 1918 private use
192.0.0.0/24        reserved      - 6890 IETF protocol assignments
192.0.0.0/29        reserved      - 7335 IPv4 service continuity
192.0.0.8/32        reserved      - 7600 the IPv4 dummy address
192.0.0.9/32        reserved      - 7723 anycast of the Port Control Protocol
192.0.0.10/32       reserved      - 8155 anycast of TURN
192.0.0.170/31      reserved      - 7050 discovery of NAT64 and DNS64
192.0.2.0/24        documentation - 5737 documentation (TEST-NET-1)
192.31.196.0/24     anycast       + 7535 AS112 name servers
192.52.193.0/24     anycast       + 7450 automatic multicast tunneling
192.88.99.0/24      reserved      - 7526 deprecated anycast of 6to4 relays
192.168.0.0/16      private       - 1918 private use
192.175.48.0/24     anycast       + 7534 AS112 name servers
198.18.0.0/15       benchmarking  - 2544 benchmarks of network devices
198.51.100.0/24     documentation - 5737 documentation (TEST-NET-2)
203.0.113.0/24      documentation - 5737 documentation (TEST-NET-3)
224.0.0.0/4         multicast     - 5771 multicast
240.0.0.0/4         reserved      - 1112 reserved for future use
255.255.255.255/32  broadcast     - 919  limited broadcast
::/96               reserved      - 4291 deprecated IPv4-compatible addresses
::/128              unspecified   - 4291 the unspecified address
::1/128             loopback      - 4291 loopback
::ffff:0:0/96       mapped        + 4291 IPv4-mapped addresses
64:ff9b::/96        translation   + 6052 translation between IPv4 and IPv6 (NAT64)
64:ff9b:1::/48      reserved      - 8215 local translation between IPv4 and IPv6
100::/64            reserved      - 6666 discard only
100:0:0:1::/64      reserved      - 9780 the IPv6 dummy prefix
2001::/23           reserved      - 2928 IETF protocol assignments
2001::/32           transition    - 4380 Teredo
2001:1::1/128       reserved      - 7723 anycast of the Port Control Protocol
2001:1::2/128       reserved      - 8155 anycast of TURN
2001:1::3/128       reserved      - 9665 anycast of service registration
2001:2::/48         benchmarking  - 5180 benchmarks of network devices
2001:3::/32         reserved      - 7450 automatic multicast tunneling
2001:4:112::/48     reserved      - 7535 AS112 name servers
2001:10::/28        reserved      - 4843 deprecated ORCHID
2001:20::/28        reserved      - 7343 ORCHIDv2
2001:30::/28        reserved      - 9374 remote identification of drones
2001:db8::/32       documentation - 3849 documentation
2002::/16           transition    + 3056 6to4
2620:4f:8000::/48   anycast       + 7534 AS112 name servers
3fff::/20           documentation - 9637 documentation
5f00::/16           reserved      - 9602 segment routing (SRv6)
fc00::/7            private       - 4193 unique local addresses
fe80::/10           link_local    - 4291 link-local
fec0::/10           reserved      - 3879 deprecated site-local addresses
ff00::/8            multicast     - 4291 multicast`;

interface Row extends SpecialNetwork {
  readonly start: Uint8Array;
  readonly length: number;
}

/** Rows by size of the address in bytes, the most specific first. */
const ROWS: Readonly<Record<number, readonly Row[]>> = { 4: rowsOf(4), 16: rowsOf(16) };

function rowsOf(size: number): readonly Row[] {
  return REGISTRY.trim()
    .split('\n')
    .map((line) => {
      const [network = '', purpose = '', mark, rfc, ...name] = line.split(/ +/);
      const [address = '', length] = network.split('/');
      const start = addressBytes(address) ?? new Uint8Array();
      const words = { network, purpose, name: name.join(' '), rfc: `RFC ${rfc}` };
      return { ...words, isPublic: mark === '+', start, length: Number(length) };
    })
    .filter(({ start }) => start.length === size)
    .sort((left, right) => right.length - left.length);
}

/** Returns the special networks that an address is in, the most specific first. */
export function specialNetworks(address: Uint8Array): readonly SpecialNetwork[] {
  return (ROWS[address.length] ?? []).filter(({ start, length }) => isWithin(address, start, length));
}

function isWithin(address: Uint8Array, start: Uint8Array, length: number): boolean {
  const whole = length >> 3;
  for (let index = 0; index < whole; index += 1) if (address[index] !== start[index]) return false;
  const rest = 8 - (length & 7);
  return rest === 8 || (address[whole] ?? 0) >> rest === (start[whole] ?? 0) >> rest;
}

/** Returns the 4 or 16 bytes of an address, without its zone; undefined for what is not an address. */
export function addressBytes(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number);
  if (!isIPv6(text)) return undefined;
  const [address = ''] = text.split('%', 1);
  const bytes = new Uint8Array(16);
  const [head = '', tail] = address.split('::');
  bytes.set(groupBytes(head));
  const end = groupBytes(tail ?? '');
  bytes.set(end, 16 - end.length);
  return bytes;
}

/** Returns the bytes of groups, of which the last may be an IPv4 address: `ffff:192.0.2.1`. */
function groupBytes(groups: string): readonly number[] {
  if (groups === '') return [];
  return groups.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 255];
  });
}

/** Returns the canonical spelling of 4 or 16 bytes. */
export function addressText(address: Uint8Array): string {
  if (address.length === 4) return address.join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((address[index * 2] ?? 0) << 8) | (address[index * 2 + 1] ?? 0)).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** An IPv4 address that an IPv6 address carries. */
export interface EmbeddedAddress {
  readonly address: Uint8Array;
  readonly mechanism: 'IPv4-mapped' | 'IPv4-compatible' | 'NAT64' | '6to4' | 'Teredo';
}

/** First bytes of the addresses that carry an IPv4 address, and where it begins. */
const CARRIERS = (
  [
    ['IPv4-mapped', '::ffff:0:0', 12, 12],
    ['NAT64', '64:ff9b::', 12, 12],
    ['6to4', '2002::', 2, 2],
    ['Teredo', '2001::', 4, 12],
    ['IPv4-compatible', '::', 12, 12],
  ] as const
).map(([mechanism, start, size, place]) => ({
  mechanism,
  start: addressBytes(start) ?? new Uint8Array(),
  length: size * 8,
  place,
}));

/** Returns the IPv4 address that an IPv6 address stands for, if any. */
export function embeddedAddress(address: Uint8Array): EmbeddedAddress | undefined {
  if (address.length !== 16) return undefined;
  const carrier = CARRIERS.find(({ start, length }) => isWithin(address, start, length));
  if (carrier === undefined) return undefined;
  const { mechanism, place } = carrier;
  const inside = address.slice(place, place + 4);
  // ::1 and the like are numbers, not IPv4 addresses.
  if (mechanism === 'IPv4-compatible' && inside[0] === 0) return undefined;
  // Teredo inverts the address of its client.
  return { mechanism, address: mechanism === 'Teredo' ? inside.map((byte) => byte ^ 255) : inside };
}

/** Returns the special network off the public internet that an address, or the one in it, belongs to. */
export function reservedNetwork(address: Uint8Array): SpecialNetwork | undefined {
  const reserved = specialNetworks(address).find(({ isPublic }) => !isPublic);
  const inside = reserved === undefined ? embeddedAddress(address) : undefined;
  return inside === undefined ? reserved : reservedNetwork(inside.address);
}
