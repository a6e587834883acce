import { addressBytes, reservedNetwork } from '../../identity/limits/special-networks.ts';

/** Returns the purpose of the reserved network that an address is in; undefined for a public address. */
export function reservedPurpose(address: string): string | undefined {
  return reservedNetwork(addressBytes(address) ?? new Uint8Array())?.purpose;
}
