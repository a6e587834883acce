import { BlockList, isIP, isIPv6 } from 'node:net';
import { InvalidInput } from '../errors/errors.ts';

/** Networks that something may come from: `10.0.0.0/8`, `2001:db8::/32` or single addresses. None: everywhere. */
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
    const bare = bareAddress(address ?? '');
    const version = isIP(bare);
    return version !== 0 && this.#list.check(bare, version === 6 ? 'ipv6' : 'ipv4');
  }
}

/** Whom an address counts as: a customer has a whole /64 of IPv6 addresses. */
export function networkOf(address: string): string {
  const bare = bareAddress(address);
  if (!isIPv6(bare)) return bare;
  const [start = '', end] = bare.split('::');
  const groups = start === '' ? [] : start.split(':');
  if (end !== undefined) {
    const tail = end === '' ? [] : end.split(':');
    while (groups.length + tail.length < 8) groups.push('0');
    groups.push(...tail);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** Without the zone of a link-local address; IPv4 on a socket of IPv6 as IPv4. */
function bareAddress(address: string): string {
  return address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+(?:\.\d+){3}$)/i, '');
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
    throw new InvalidInput('invalid_setting', `${at}: ${network} is no network like 10.0.0.0/8.`, { at, cause });
  }
}
