/** An address as 32 lower-case hexadecimal digits, IPv4 in its IPv4-mapped IPv6 form. */
export type AddressHex = string;

export interface AddressRange {
  readonly first: AddressHex;
  readonly last: AddressHex;
}

const IPV4_PREFIX = '00000000000000000000ffff';
const HEXTETS = 8;

/**
 * Reads an IPv4 or IPv6 address without its zone (`%eth0`); undefined when the text is not an address.
 * Octets with leading zeros are refused: systems disagree whether they are octal.
 */
export function parseAddress(text: string): AddressHex | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

/**
 * Reads `address/bits`, where host bits may be set; undefined when the text is not a network.
 * An IPv4-mapped address is refused, because its mask could count the bits of either form.
 */
export function parseNetwork(text: string): AddressRange | undefined {
  const match = /^([^/]+)\/\+?0*(\d{1,3})$/.exec(text);
  const address = match?.[1] === undefined ? undefined : parseAddress(match[1]);
  if (address === undefined) return undefined;
  const isIpv4 = address.startsWith(IPV4_PREFIX);
  if (isIpv4 && text.includes(':')) return undefined;
  const bits = Number(match?.[2]);
  if (bits > (isIpv4 ? 32 : 128)) return undefined;
  const hostBits = BigInt(isIpv4 ? 32 - bits : 128 - bits);
  const first = (BigInt(`0x${address}`) >> hostBits) << hostBits;
  const last = first | ((1n << hostBits) - 1n);
  return { first: toHex(first), last: toHex(last) };
}

/** Text of an address for people: dotted IPv4, or IPv6 shortened as RFC 5952 says. */
export function formatAddress(address: AddressHex): string {
  if (address.startsWith(IPV4_PREFIX)) {
    return [24, 26, 28, 30].map((at) => Number.parseInt(address.slice(at, at + 2), 16)).join('.');
  }
  const hextets = Array.from({ length: HEXTETS }, (_, index) =>
    Number.parseInt(address.slice(index * 4, index * 4 + 4), 16).toString(16),
  );
  const text = hextets.join(':');
  const [longest] = [...text.matchAll(/\b0(?::0)+\b/g)].sort((a, b) => b[0].length - a[0].length);
  if (!longest) return text;
  return `${text.slice(0, longest.index) || ':'}${text.slice(longest.index + longest[0].length) || ':'}`;
}

const ZERO = 48;
const DOT = 46;
/** Each octet as two hexadecimal digits. */
const OCTETS = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'));

/** Reads unit by unit: a lookup of many values reads each address for some twenty fields. */
function parseIpv4(text: string): AddressHex | undefined {
  if (text.length > 15) return undefined;
  let hex = IPV4_PREFIX;
  let octet = -1;
  let dots = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === DOT) {
      if (octet < 0) return undefined;
      hex += OCTETS[octet];
      octet = -1;
      dots += 1;
    } else {
      const digit = unit - ZERO;
      if (digit < 0 || digit > 9 || octet === 0) return undefined;
      octet = octet < 0 ? digit : octet * 10 + digit;
      if (octet > 255) return undefined;
    }
  }
  return dots === 3 && octet >= 0 ? hex + OCTETS[octet] : undefined;
}

function parseIpv6(text: string): AddressHex | undefined {
  const [address = ''] = text.split('%', 1);
  const halves = withoutDottedTail(address)?.split('::');
  if (halves === undefined || halves.length > 2) return undefined;
  const [head = [], tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const given = head.length + (tail?.length ?? 0);
  if (tail === undefined ? given !== HEXTETS : given >= HEXTETS) return undefined;
  const hextets = [...head, ...Array<string>(HEXTETS - given).fill('0'), ...(tail ?? [])];
  if (!hextets.every((hextet) => /^[0-9a-f]{1,4}$/i.test(hextet))) return undefined;
  return hextets.map((hextet) => hextet.toLowerCase().padStart(4, '0')).join('');
}

/** `::ffff:10.0.0.1` → `::ffff:a00:1`. */
function withoutDottedTail(address: string): string | undefined {
  if (!address.includes('.')) return address;
  const at = address.lastIndexOf(':') + 1;
  const hex = parseIpv4(address.slice(at))?.slice(IPV4_PREFIX.length);
  return hex === undefined ? undefined : `${address.slice(0, at)}${hex.slice(0, 4)}:${hex.slice(4)}`;
}

function toHex(address: bigint): AddressHex {
  return address.toString(16).padStart(32, '0');
}
