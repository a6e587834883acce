import { BlockList, isIPv6 } from 'node:net';
import { getDomain } from 'tldts';
import { type Adapter, askEach, path, type Vendor, type VendorRequest } from '../../adapter.ts';
import { anything, list, maybe, readAnswer, record, some, text, time } from '../../answer-shape.ts';
import { contextNote, countryIcon, type Note, named, present } from '../../finding.ts';

/** RFC 9224: which servers answer for which names or networks. */
const REGISTRY = record({ services: list(list(list(text))) });
/** RFC 9083. */
const OBJECT = record({
  objectClassName: text,
  handle: maybe(text),
  name: maybe(text),
  country: maybe(text),
  startAddress: maybe(text),
  endAddress: maybe(text),
  status: some(text),
  events: some(record({ eventAction: text, eventDate: time })),
  nameservers: some(record({ ldhName: text })),
  entities: some(record({ roles: some(text), vcardArray: maybe(list(anything)) })),
});
type RegistryObject = ReturnType<typeof OBJECT>;

/** Seconds for which the lists of servers are kept; they change a few times a month. */
const KEPT = 86_400;

/** Asks the registries of names and addresses who registered a domain or a network, and when. */
export const rdap: Adapter = {
  name: 'rdap',
  title: 'RDAP',
  reach: 'passive',
  documentation: 'https://www.rfc-editor.org/rfc/rfc9083',
  types: ['domain', 'ipv4', 'ipv6'],
  url: 'https://data.iana.org/rdap',
  // Each registry has its own limit; most do not name it.
  rateLimits: ['30/minute'],
  statuses: { 404: 'unknown' },
  lookup: askEach(requestOf, (answer) => {
    const object = readAnswer(OBJECT, answer);
    const range =
      object.startAddress && object.endAddress ? `${object.startAddress} - ${object.endAddress}` : undefined;
    return [
      {
        notes: present([
          contextNote('Network', object.name, 'Network', { icon: countryIcon(object.country) }),
          contextNote('Range', range, 'Addresses'),
          ...entityNotes(object),
          ...object.events.slice(0, 10).map(({ eventAction: action, eventDate: date }): Note => {
            return { about: 'Event', type: 'context', value: date, summary: `${action}: ${date}` };
          }),
          contextNote('Name servers', named(object.nameservers.map(({ ldhName }) => ldhName)), 'Name servers'),
          contextNote('Status', named(object.status), 'Status'),
        ]),
      },
    ];
  }),
};

/** Returns the request to the registry that is responsible; undefined when there is none. */
async function requestOf(
  { type, value }: { readonly type: string; readonly value: string },
  vendor: Vendor,
): Promise<VendorRequest | undefined> {
  const registered = type === 'domain' ? (getDomain(value) ?? undefined) : value;
  if (registered === undefined) return undefined;
  const file = type === 'domain' ? 'dns' : type;
  const registry = readAnswer(REGISTRY, await vendor.send({ path: path`/${file}.json`, keep: KEPT }));
  const suffix = registered.slice(registered.lastIndexOf('.') + 1);
  const servers =
    type === 'domain'
      ? serversOf(registry, (name) => (name === suffix ? 1 : 0))
      : serversOf(registry, prefixFor(value));
  const base = servers.find((url) => url.startsWith('https://')) ?? servers[0];
  if (base === undefined || !/^https?:\/\/[^/]/.test(base) || !URL.canParse(base)) return undefined;
  const accept = 'application/rdap+json, application/json';
  return { base, accept, path: type === 'domain' ? path`/domain/${registered}` : path`/ip/${value}` };
}

/** Returns the servers of the entry that fits best. */
function serversOf({ services }: ReturnType<typeof REGISTRY>, fit: (name: string) => number): readonly string[] {
  let best = 0;
  let servers: readonly string[] = [];
  for (const [names = [], urls = []] of services) {
    const fits = Math.max(0, ...names.map(fit));
    if (fits > best) [best, servers] = [fits, urls];
  }
  return servers;
}

/** Returns a function for the length of a network that holds the address; 0 for another network. */
function prefixFor(address: string): (network: string) => number {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return (network) => {
    const [start = '', length = ''] = network.split('/');
    const networks = new BlockList();
    try {
      networks.addSubnet(start, Number(length), family);
    } catch {
      return 0;
    }
    return networks.check(address, family) ? Number(length) : 0;
  };
}

function entityNotes({ entities }: RegistryObject): readonly Note[] {
  return entities.slice(0, 10).flatMap(({ roles, vcardArray }) => {
    const name = nameIn(vcardArray);
    const role = named(roles);
    return name === undefined || role === '' ? [] : (contextNote('Registration', name, role) ?? []);
  });
}

/** Returns the name in a jCard (RFC 7095). */
function nameIn(card: readonly unknown[] | undefined): string | undefined {
  const properties = some(list(anything))(card?.[1], 'vcardArray');
  const value = properties.find(([property]) => property === 'fn')?.[3];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
