import { type Adapter, askEach, encoded } from '../../adapter.ts';
import { list, maybe, readAnswer, record, text, time } from '../../answer-shape.ts';
import { named } from '../../finding.ts';
import { hostOf } from '../../selector-value.ts';

const CERTIFICATES = list(
  record({
    name_value: text,
    issuer_name: maybe(text),
    not_before: text,
    not_after: text,
    serial_number: text,
    entry_timestamp: maybe(time),
  }),
);

/** Asks crt.sh for the certificates of a domain, or of the host of a URL, that have not expired. */
export const crtsh: Adapter = {
  name: 'crtsh',
  title: 'crt.sh',
  reach: 'passive',
  documentation: 'https://crt.sh/',
  types: ['domain', 'url'],
  url: 'https://crt.sh',
  // The service has no documented limit and refuses bursts.
  rateLimits: ['30/minute'],
  lookup: askEach(
    ({ type, value }) => ({ path: '/json', query: { cn: domainOf(type, value), exclude: 'expired' } }),
    (answer, { type, value }, { limit }) => {
      const certificates = readAnswer(CERTIFICATES, answer);
      if (certificates.length === 0) return [];
      return [
        {
          count: Array.isArray(answer) ? answer.length : 0,
          link: `https://crt.sh/?q=${encoded(domainOf(type, value))}`,
          notes: certificates.slice(0, limit).map((one) => ({
            about: 'TLS Certificate',
            type: 'context',
            value: one.serial_number,
            summary: [
              'TLS certificate found for domain:',
              '',
              `Common name(s) for certificate: ${named(one.name_value.split('\n'))}`,
              `Issuer: ${one.issuer_name ?? 'unknown'}`,
              `Not before: ${one.not_before}`,
              `Not after: ${one.not_after}`,
              `Certificate ID: ${one.serial_number}`,
            ].join('\n'),
            timestamp: one.entry_timestamp,
          })),
        },
      ];
    },
  ),
};

function domainOf(type: string, value: string): string {
  return type === 'url' ? (hostOf(value) ?? value) : value;
}
