import { addressBytes } from '../../identity/limits/special-networks.ts';

/** Fields of a record in an MMDB file. */
export type MmdbValue =
  | string
  | number
  | bigint
  | boolean
  | readonly MmdbValue[]
  | { readonly [key: string]: MmdbValue };

export interface MmdbOptions {
  /** Default: 6, which holds both. */
  readonly ipVersion?: 4 | 6;
  /** Seconds since 1970. */
  readonly buildEpoch?: number;
}

type Node = [left: Node | number | undefined, right: Node | number | undefined];

/**
 * Writes an MMDB file with records of 24 bits (MaxMind DB format 2.0).
 * @param networks records by network in CIDR notation
 */
export function mmdbFile(networks: Readonly<Record<string, MmdbValue>>, options: MmdbOptions = {}): Buffer {
  const { ipVersion = 6, buildEpoch = 1_767_225_600 } = options;
  const root: Node = [undefined, undefined];
  const data: Buffer[] = [];
  let size = 0;
  for (const [network, value] of Object.entries(networks)) {
    const [address = '', length] = network.split('/');
    const bytes = addressBytes(address) ?? new Uint8Array();
    const isPadded = ipVersion === 6 && bytes.length === 4;
    const padded = isPadded ? Uint8Array.from([...new Uint8Array(12), ...bytes]) : bytes;
    insert(root, padded, Number(length) + (isPadded ? 96 : 0), size);
    const written = encoded(value);
    data.push(written);
    size += written.length;
  }
  const nodes = listed(root);
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [index, node] of nodes.entries()) {
    for (const side of [0, 1] as const) {
      const target = node[side];
      const record =
        target === undefined
          ? nodes.length
          : typeof target === 'number'
            ? nodes.length + 16 + target
            : nodes.indexOf(target);
      tree.writeUIntBE(record, index * 6 + side * 3, 3);
    }
  }
  const metadata = encoded({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: BigInt(buildEpoch),
    database_type: 'Test',
    description: { en: 'Test' },
    ip_version: ipVersion,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  });
  return Buffer.concat([tree, Buffer.alloc(16), ...data, Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'), metadata]);
}

function insert(root: Node, address: Uint8Array, length: number, offset: number): void {
  let node = root;
  for (let depth = 0; depth < length; depth += 1) {
    const side = ((address[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1;
    if (depth === length - 1) {
      node[side] = offset;
      return;
    }
    const next: Node = typeof node[side] === 'object' ? node[side] : [undefined, undefined];
    node[side] = next;
    node = next;
  }
}

function listed(root: Node): readonly Node[] {
  const nodes = [root];
  for (const node of nodes) for (const child of node) if (typeof child === 'object') nodes.push(child);
  return nodes;
}

function encoded(value: MmdbValue): Buffer {
  if (typeof value === 'string') return field(2, Buffer.from(value));
  if (typeof value === 'boolean') return Buffer.from([Number(value), 7]);
  if (typeof value === 'number') return field(6, unsigned(BigInt(value)));
  if (typeof value === 'bigint') return field(value < 2n ** 64n ? 9 : 10, unsigned(value));
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encoded)]);
  const entries = Object.entries(value);
  return Buffer.concat([control(7, entries.length), ...entries.flatMap(([key, one]) => [encoded(key), encoded(one)])]);
}

function unsigned(value: bigint): Buffer {
  const digits = value === 0n ? '' : value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}

function field(type: number, content: Buffer): Buffer {
  return Buffer.concat([control(type, content.length), content]);
}

/** Returns the bytes before a field; lengths up to 284. */
function control(type: number, length: number): Buffer {
  const [size, more] = length < 29 ? [length, []] : [29, [length - 29]];
  return Buffer.from(type < 8 ? [(type << 5) | size, ...more] : [size, type - 7, ...more]);
}
