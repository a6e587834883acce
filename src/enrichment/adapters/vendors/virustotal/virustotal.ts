import { type Adapter, askEach, encoded, path } from '../../adapter.ts';
import { count, entries, maybe, number, readAnswer, record, some, text, time } from '../../answer-shape.ts';
import { contextNote, countryIcon, type Finding, type Note, named, present, verbatim } from '../../finding.ts';

const COLLECTIONS: Readonly<Record<string, string>> = {
  md5: 'files',
  sha1: 'files',
  sha256: 'files',
  domain: 'domains',
  ipv4: 'ip_addresses',
  ipv6: 'ip_addresses',
  url: 'urls',
};

const ATTRIBUTES = record({
  last_analysis_stats: record({
    malicious: count,
    suspicious: count,
    harmless: maybe(count),
    undetected: maybe(count),
  }),
  last_analysis_results: maybe(
    entries(record({ category: text, engine_name: maybe(text), result: maybe(text), engine_version: maybe(text) })),
  ),
  last_analysis_date: maybe(time),
  malware_config: maybe(record({ families: some(record({ family: text })) })),
  popular_threat_classification: maybe(record({ suggested_threat_label: text })),
  meaningful_name: maybe(text),
  type_description: maybe(text),
  reputation: maybe(number),
  registrar: maybe(text),
  as_owner: maybe(text),
  country: maybe(text),
  continent: maybe(text),
  whois: maybe(text),
});
const ANSWER = record({ data: record({ attributes: ATTRIBUTES }) });
type Attributes = ReturnType<typeof ATTRIBUTES>;

/** Asks VirusTotal for its analyses of files, addresses, domains and URLs. */
export const virustotal: Adapter = {
  name: 'virustotal',
  title: 'Virustotal',
  reach: 'passive',
  documentation: 'https://docs.virustotal.com/reference/overview',
  types: Object.keys(COLLECTIONS),
  url: 'https://www.virustotal.com/api/v3',
  key: { in: 'header', name: 'x-apikey' },
  // https://docs.virustotal.com/reference/public-vs-premium-api
  rateLimits: ['4/minute', '500/day', '15500/month'],
  statuses: { 404: 'unknown' },
  icon: 'simple-icons:virustotal',
  lookup: askEach(
    ({ type, value }) => {
      // The identifier of a URL is the URL in base64.
      const id = type === 'url' ? Buffer.from(value).toString('base64url') : value;
      return { path: path`/${COLLECTIONS[type] ?? ''}/${id}` };
    },
    (answer, { type, value }) => [findingOf(readAnswer(ANSWER, answer).data.attributes, type, value)],
  ),
};

function findingOf(attributes: Attributes, type: string, value: string): Finding {
  const { popular_threat_classification: threat, malware_config: config } = attributes;
  const kind = type.toUpperCase();
  const families = named(config?.families.map(({ family }) => family) ?? []);
  return {
    link: `https://www.virustotal.com/gui/search/${encoded(encoded(value))}`,
    notes: present([
      type === 'domain' ? ownerOfDomain(attributes) : ownerOfAddress(attributes),
      contextNote('Attribution', families, `${kind} has been attributed to the following malware families`),
      contextNote('Threat label', threat?.suggested_threat_label, 'Suggested threat label'),
      contextNote('File name', attributes.meaningful_name, 'File name'),
      contextNote('File type', attributes.type_description, 'File type'),
      contextNote('Registrar', attributes.registrar, 'Registrar'),
      contextNote('Reputation', attributes.reputation, 'Reputation by votes of the community'),
      opinion('malicious', attributes, kind),
      opinion('suspicious', attributes, kind),
      benign(attributes, kind),
    ]),
  };
}

function opinion(verdict: 'malicious' | 'suspicious', attributes: Attributes, kind: string): Note | undefined {
  const { last_analysis_stats: stats, last_analysis_results: results = [] } = attributes;
  const quantity = stats[verdict];
  if (quantity === 0) return undefined;
  const engines = results.filter(([, { category }]) => category === verdict);
  const names = named(engines.map(([name, { engine_name: engine }]) => engine ?? name));
  const lines = engines.map(
    ([name, { result, engine_version: version }]) => `${name}: ${result ?? verdict}${version ? ` (${version})` : ''}`,
  );
  return {
    about: 'Analysis',
    type: 'opinion',
    value: verdict,
    quantity,
    summary: `${quantity} vendors found this ${kind} to be ${verdict}${names === '' ? '' : `: ${names}`}`,
    timestamp: attributes.last_analysis_date,
    details: lines.length === 0 ? undefined : verbatim(lines.join('\n')),
  };
}

function benign(attributes: Attributes, kind: string): Note | undefined {
  const { malicious, suspicious, harmless = 0, undetected = 0 } = attributes.last_analysis_stats;
  const quantity = harmless + undetected;
  if (malicious > 0 || suspicious > 0 || quantity === 0) return undefined;
  return {
    about: 'Analysis',
    type: 'opinion',
    value: 'benign',
    quantity,
    summary: `All ${quantity} vendors that have a result found this ${kind} to be benign`,
    timestamp: attributes.last_analysis_date,
  };
}

function ownerOfAddress({ as_owner: owner, country, continent, whois }: Attributes): Note | undefined {
  const place = named(
    [country && `Country: ${country}`, continent && `Continent: ${continent}`].map((one) => one ?? ''),
  );
  return contextNote('Owner information', owner, 'Owner', {
    ...(owner === undefined ? {} : { summary: `Owner: ${owner}${place === '' ? '' : ` (${place})`}` }),
    details: verbatim(whois),
    icon: countryIcon(country),
  });
}

function ownerOfDomain({ whois = '' }: Attributes): Note | undefined {
  const owner = fieldOf(whois, /^Admin Organization: (.*)$/m);
  const country = fieldOf(whois, /^Admin Country: (.*)$/m);
  if (owner === undefined && country === undefined) return undefined;
  return contextNote('Owner information', owner ?? 'N/A', 'Owner', {
    summary: `Owner: ${owner ?? 'N/A'} (Country: ${country ?? 'N/A'})`,
    details: verbatim(whois),
    icon: countryIcon(country),
  });
}

function fieldOf(whois: string, field: RegExp): string | undefined {
  const value = field.exec(whois)?.[1]?.trim();
  return value === undefined || /^(n\/a|redacted for privacy|)$/i.test(value) ? undefined : value;
}
