import { type Adapter, askEach, encoded, path } from '../../adapter.ts';
import { list, number, readAnswer, record, some, text } from '../../answer-shape.ts';
import { contextNote, named, present } from '../../finding.ts';
import { exposedHostNotes } from '../shodan/exposed-host.ts';

const HOST = record({
  ports: list(number),
  hostnames: some(text),
  tags: some(text),
  vulns: some(text),
  cpes: some(text),
});

/** Asks InternetDB, the part of Shodan that is free and needs no key. */
export const internetdb: Adapter = {
  name: 'internetdb',
  title: 'InternetDB',
  reach: 'passive',
  documentation: 'https://internetdb.shodan.io/docs',
  types: ['ipv4', 'ipv6'],
  url: 'https://internetdb.shodan.io',
  // No limit is documented.
  rateLimits: ['1/second'],
  statuses: { 404: 'unknown' },
  icon: 'simple-icons:shodan',
  lookup: askEach(
    ({ value }) => ({ path: path`/${value}` }),
    (answer, { value }) => {
      const host = readAnswer(HOST, answer);
      return [
        {
          count: Math.max(host.ports.length, 1),
          link: `https://www.shodan.io/host/${encoded(value)}`,
          notes: present([...exposedHostNotes(host), contextNote('Products', named(host.cpes), 'Products')]),
        },
      ];
    },
  ),
};
