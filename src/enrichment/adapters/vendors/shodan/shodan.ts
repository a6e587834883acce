import { type Adapter, askEach, encoded, path } from '../../adapter.ts';
import {
  anything,
  entries,
  list,
  maybe,
  number,
  readAnswer,
  record,
  type Shape,
  some,
  text,
  time,
} from '../../answer-shape.ts';
import { contextNote, countryIcon, present } from '../../finding.ts';
import { exposedHostNotes } from './exposed-host.ts';

/** A list of names, or an object by name. */
const names: Shape<readonly string[]> = (value, at) =>
  Array.isArray(value) ? some(text)(value, at) : entries(anything)(value, at).map(([name]) => name);
const HOST = record({
  ports: list(number),
  hostnames: some(text),
  tags: some(text),
  vulns: maybe(names),
  org: maybe(text),
  asn: maybe(text),
  os: maybe(text),
  country_code: maybe(text),
  last_update: maybe(time),
});

/** Asks Shodan for what a host offers to the Internet. */
export const shodan: Adapter = {
  name: 'shodan',
  title: 'Shodan',
  reach: 'passive',
  documentation: 'https://developer.shodan.io/api',
  types: ['ipv4', 'ipv6'],
  url: 'https://api.shodan.io',
  key: { in: 'query', name: 'key' },
  rateLimits: ['1/second'],
  statuses: { 404: 'unknown' },
  icon: 'simple-icons:shodan',
  lookup: askEach(
    ({ value }) => ({ path: path`/shodan/host/${value}`, query: { minify: 'true' } }),
    (answer, { value }) => {
      const { vulns = [], last_update: timestamp, ...host } = readAnswer(HOST, answer);
      return [
        {
          count: Math.max(host.ports.length, 1),
          link: `https://www.shodan.io/host/${encoded(value)}`,
          notes: present([
            ...exposedHostNotes({ ...host, vulns, timestamp }),
            contextNote('Organisation', host.org, 'Organisation', { icon: countryIcon(host.country_code) }),
            contextNote('Network', host.asn, 'Autonomous system'),
            contextNote('Operating system', host.os, 'Operating system'),
          ]),
        },
      ];
    },
  ),
};
