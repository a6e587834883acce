import {
  addressBytes,
  addressText,
  embeddedAddress,
  type SpecialNetwork,
  specialNetworks,
} from '../../../identity/limits/special-networks.ts';
import { type Fact, fact } from './fact.ts';

/** Returns what an IPv4 or IPv6 address says of itself: its special network, and an address in it. */
export function addressFacts(value: string): readonly Fact[] {
  const bytes = addressBytes(value);
  return bytes === undefined ? [] : factsOf(bytes, `The address ${addressText(bytes)}`);
}

function factsOf(bytes: Uint8Array, subject: string): readonly Fact[] {
  const [network] = specialNetworks(bytes);
  const facts = network === undefined ? [] : [networkFact(network, subject)];
  const inside = embeddedAddress(bytes);
  if (inside === undefined) return facts;
  const text = addressText(inside.address);
  const summary = `${subject} carries the IPv4 address ${text} (${inside.mechanism}).`;
  return [...facts, fact('embedded-ipv4', summary), ...factsOf(inside.address, `The embedded address ${text}`)];
}

function networkFact({ network, purpose, name, rfc, isPublic }: SpecialNetwork, subject: string): Fact {
  return fact(purpose, `${subject} is in the network ${network}: ${name} (${rfc}).`, {
    ubiquitous: !isPublic,
    link: `https://www.rfc-editor.org/rfc/${rfc.replace(' ', '').toLowerCase()}`,
  });
}
