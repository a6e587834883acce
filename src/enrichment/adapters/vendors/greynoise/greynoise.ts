import { type Adapter, encoded, type Findings, path, type Vendor, type VendorSelector } from '../../adapter.ts';
import { anything, flag, list, maybe, readAnswer, record, some, text, time } from '../../answer-shape.ts';
import { contextNote, countryIcon, type Finding, type Note, named, present } from '../../finding.ts';

const SCANNER = record({
  found: flag,
  classification: maybe(text),
  actor: maybe(text),
  last_seen: maybe(time),
  tags: some(record({ name: text })),
  cves: some(text),
  vpn_service: maybe(text),
  tor: maybe(flag),
  metadata: maybe(record({ organization: maybe(text), source_country_code: maybe(text) })),
});
const BUSINESS = record({ found: flag, name: maybe(text), category: maybe(text), trust_level: maybe(text) });
const ADDRESS = record({ ip: text, internet_scanner_intelligence: SCANNER, business_service_intelligence: BUSINESS });
const ADDRESSES = record({ data: list(anything) });

const OPINIONS: ReadonlySet<string | undefined> = new Set(['malicious', 'suspicious', 'benign']);

/** Asks GreyNoise whether an address scans the Internet, or belongs to a common service. */
export const greynoise: Adapter = {
  name: 'greynoise',
  title: 'GreyNoise',
  reach: 'passive',
  documentation: 'https://docs.greynoise.io/reference/get_v3-ip-ip',
  types: ['ipv4'],
  url: 'https://api.greynoise.io',
  key: { in: 'header', name: 'key' },
  // A subscription names its own limits; this keeps bursts small.
  rateLimits: ['60/minute'],
  // The vendor accepts more, but answers would get larger than 10 MB.
  valuesPerCall: 20,
  statuses: { 404: 'unknown' },
  lookup,
};

async function lookup(selectors: readonly VendorSelector[], vendor: Vendor): Promise<Findings> {
  const [only, ...others] = selectors;
  if (only !== undefined && others.length === 0) {
    const answer = await vendor.send({ path: path`/v3/ip/${only.value}` });
    return new Map(answer === undefined ? [] : [[only, findingsOf(answer)]]);
  }
  const answer = await vendor.send({ path: '/v3/ip', json: { ips: selectors.map(({ value }) => value) } });
  if (answer === undefined) return new Map();
  const bySelector = new Map(selectors.map((selector) => [selector.value, selector]));
  return new Map(
    readAnswer(ADDRESSES, answer).data.flatMap((one) => {
      const selector = bySelector.get(readAnswer(ADDRESS, one).ip);
      return selector === undefined ? [] : [[selector, findingsOf(one)]];
    }),
  );
}

function findingsOf(answer: unknown): readonly Finding[] {
  const {
    ip,
    internet_scanner_intelligence: scanner,
    business_service_intelligence: business,
  } = readAnswer(ADDRESS, answer);
  if (!scanner.found && !business.found) return [];
  const notes = present([
    scanner.found && scannerNote(scanner),
    business.found && businessNote(business),
    contextNote('Tags', named(scanner.tags.map(({ name }) => name)), 'Seen doing'),
    contextNote('Vulnerabilities', named(scanner.cves), 'Tries to use'),
    contextNote('Organisation', scanner.metadata?.organization, 'Organisation', {
      icon: countryIcon(scanner.metadata?.source_country_code),
    }),
    contextNote('VPN', scanner.vpn_service, 'VPN'),
    scanner.tor === true && contextNote('Tor', 'Tor', 'Tor', { summary: 'A Tor exit node' }),
  ]);
  return [{ link: `https://viz.greynoise.io/ip/${encoded(ip)}`, notes, raw: answer }];
}

function scannerNote({ classification, actor, last_seen: timestamp }: ReturnType<typeof SCANNER>): Note {
  const by = actor === undefined || actor === '' || actor === 'unknown' ? '' : ` by ${actor}`;
  const summary = `Scans the Internet${by}, classified as ${classification || 'unknown'}`;
  const value = OPINIONS.has(classification) ? (classification ?? '') : 'obscure';
  return { about: 'Internet scanner', type: 'opinion', value, summary, timestamp };
}

function businessNote({ name, category, trust_level: level }: ReturnType<typeof BUSINESS>): Note {
  const service = named([name ?? '', category ?? '']);
  return {
    about: 'Business service',
    type: 'opinion',
    value: 'benign',
    // The vendor calls 1 reasonable to ignore, 2 commonly seen.
    confidence: level === '1' ? 1 : 0.5,
    summary: `Belongs to a common service${service === '' ? '' : `: ${service}`}`,
    isCommon: true,
  };
}
