import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { InvalidInput } from '../errors/errors.ts';

/** Networks that requests may come from, in CIDR notation, and addresses. An empty list admits all. */
export class Networks {
  readonly #list: BlockList | undefined;

  /** @throws InvalidInput `invalid_setting` */
  constructor(networks: readonly string[], at: string) {
    if (networks.length === 0) return;
    const list = new BlockList();
    for (const network of networks) add(list, network, at);
    this.#list = list;
  }

  admit(address: string | undefined): boolean {
    if (this.#list === undefined) return true;
    const canonical = canonicalAddress(address ?? '');
    return canonical !== undefined && this.#list.check(canonical, isIPv6(canonical) ? 'ipv6' : 'ipv4');
  }
}

/** Returns the network that limits count an address under: an IPv4 address, or the /64 of IPv6. */
export function networkOf(address: string): string {
  const canonical = canonicalAddress(address);
  if (canonical === undefined || !isIPv6(canonical)) return canonical ?? address;
  const [start = '', end] = canonical.split('::');
  const groups = start === '' ? [] : start.split(':');
  if (end !== undefined) {
    const tail = end === '' ? [] : end.split(':');
    while (groups.length + tail.length < 8) groups.push('0');
    groups.push(...tail);
  }
  return groups.slice(0, 4).join(':');
}

/** Returns the one spelling of an IP address (RFC 5952), without zone, and mapped IPv4 as IPv4. */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  const address = new URL(`http://[${text.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
}

function add(list: BlockList, network: string, at: string): void {
  const [start = '', length] = network.split('/');
  const version = isIP(start);
  try {
    if (version === 0) throw new Error('not an address');
    const family = version === 6 ? 'ipv6' : 'ipv4';
    if (length === undefined) list.addAddress(start, family);
    else list.addSubnet(start, Number(length), family);
  } catch (cause) {
    throw new InvalidInput(
      'invalid_setting',
      `${at}: "${network}" is not a valid network. Use CIDR notation, for example 10.0.0.0/8.`,
      { at, cause },
    );
  }
}
