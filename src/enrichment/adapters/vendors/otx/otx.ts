import { type Adapter, askEach, encoded, path } from '../../adapter.ts';
import { count, maybe, readAnswer, record, some, text, time } from '../../answer-shape.ts';
import { contextNote, type Note, named, present } from '../../finding.ts';

const SECTIONS: Readonly<Record<string, string>> = {
  md5: 'file',
  sha1: 'file',
  sha256: 'file',
  ipv4: 'IPv4',
  ipv6: 'IPv6',
  domain: 'domain',
  url: 'url',
};
const PULSE = record({
  id: text,
  name: text,
  created: maybe(time),
  adversary: maybe(text),
  tags: some(text),
  malware_families: some(record({ display_name: text })),
});
const ANSWER = record({
  pulse_info: record({ count, pulses: some(PULSE) }),
  validation: some(record({ source: text, message: maybe(text) })),
  asn: maybe(text),
  country_code: maybe(text),
});
type Pulse = ReturnType<typeof PULSE>;

/** Number of pulses from which on the confidence of the opinion does not grow. */
const SURE = 10;

/** Asks the Open Threat Exchange for the reports ("pulses") that name a value. */
export const otx: Adapter = {
  name: 'otx',
  title: 'OTX',
  reach: 'passive',
  documentation: 'https://otx.alienvault.com/assets/s/open_api.html',
  types: Object.keys(SECTIONS),
  url: 'https://otx.alienvault.com/api/v1',
  key: { in: 'header', name: 'x-otx-api-key', isOptional: true },
  // Without a key; with one it takes 10,000 an hour.
  rateLimits: ['1000/hour'],
  statuses: { 404: 'unknown' },
  lookup: askEach(
    ({ type, value }) => ({ path: path`/indicators/${SECTIONS[type] ?? ''}/${value}/general` }),
    (answer, { type, value }, { limit }) => {
      const { pulse_info: info, validation, asn } = readAnswer(ANSWER, answer);
      if (info.count === 0 && validation.length === 0) return [];
      const kind = (SECTIONS[type] ?? '').toLowerCase();
      const page = kind === 'ipv4' || kind === 'ipv6' ? 'ip' : kind;
      return [
        {
          count: info.count,
          link: `https://otx.alienvault.com/indicator/${page}/${encoded(value)}`,
          notes: present([
            opinionOf(info, validation),
            contextNote('Malware families', familiesOf(info.pulses), 'Malware families'),
            contextNote('Adversaries', named(info.pulses.map(({ adversary }) => adversary ?? '')), 'Adversaries'),
            contextNote('Network', asn, 'Autonomous system'),
            ...info.pulses.slice(0, limit).map(pulseNote),
          ]),
        },
      ];
    },
  ),
};

function opinionOf(
  { count: quantity, pulses }: ReturnType<typeof ANSWER>['pulse_info'],
  validation: ReturnType<typeof ANSWER>['validation'],
): Note {
  if (validation.length > 0) {
    const lists = named(validation.map(({ source }) => source));
    return { about: 'Validation', type: 'opinion', value: 'benign', summary: `On lists of harmless values: ${lists}` };
  }
  const names = named(pulses.map(({ name }) => name));
  return {
    about: 'Pulses',
    type: 'opinion',
    value: 'suspicious',
    quantity,
    confidence: Math.min(quantity / SURE, 1),
    summary: `${quantity} pulses name this value: ${names}`,
  };
}

function pulseNote({ id, name, tags, created }: Pulse): Note {
  return {
    about: 'Pulse',
    type: 'context',
    value: name,
    summary: `Pulse ${name}${tags.length === 0 ? '' : `, tags ${named(tags)}`}`,
    link: `https://otx.alienvault.com/pulse/${encoded(id)}`,
    timestamp: created,
  };
}

function familiesOf(pulses: readonly Pulse[]): string {
  return named(pulses.flatMap(({ malware_families: families }) => families.map(({ display_name: name }) => name)));
}
