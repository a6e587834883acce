import { type Adapter, askEach, encoded } from '../../adapter.ts';
import { anything, list, maybe, number, readAnswer, record, some, text, time } from '../../answer-shape.ts';
import { contextNote, type Finding, named, present } from '../../finding.ts';
import { abuseCh } from '../abuse-ch.ts';

const INDICATOR = record({
  id: text,
  ioc: text,
  confidence_level: number,
  threat_type: maybe(text),
  threat_type_desc: maybe(text),
  malware_printable: maybe(text),
  malware_alias: maybe(text),
  malware_malpedia: maybe(text),
  first_seen: maybe(time),
  last_seen: maybe(time),
  reporter: maybe(text),
  reference: maybe(text),
  tags: some(text),
});
const ANSWER = record({ data: list(anything) });

/** Asks ThreatFox of abuse.ch for indicators of malware. */
export const threatfox: Adapter = {
  name: 'threatfox',
  title: 'ThreatFox',
  documentation: 'https://threatfox.abuse.ch/api/',
  types: ['md5', 'sha256', 'ipv4', 'domain', 'url'],
  url: 'https://threatfox-api.abuse.ch/api/v1',
  ...abuseCh({ no_result: 'unknown', illegal_search_term: 'value', illegal_hash: 'value' }),
  lookup: askEach(
    ({ type, value }) => ({
      path: '/',
      json:
        type === 'md5' || type === 'sha256'
          ? { query: 'search_hash', hash: value }
          : // Addresses are listed with a port.
            { query: 'search_ioc', search_term: value, exact_match: type !== 'ipv4' },
    }),
    (answer, { type, value }) =>
      readAnswer(ANSWER, answer).data.flatMap((raw) => {
        const indicator = readAnswer(INDICATOR, raw);
        const isOther = type === 'ipv4' && indicator.ioc.split(':')[0] !== value;
        return isOther ? [] : [findingOf(indicator, raw)];
      }),
  ),
};

function findingOf(indicator: ReturnType<typeof INDICATOR>, raw: unknown): Finding {
  const { id, malware_printable: malware, threat_type_desc: description, confidence_level: level } = indicator;
  return {
    link: `https://threatfox.abuse.ch/ioc/${encoded(id)}/`,
    raw,
    notes: present([
      {
        about: 'Indicator',
        type: 'opinion',
        value: 'malicious',
        confidence: level / 100,
        summary: description ?? `An indicator of malware, ${indicator.threat_type ?? 'of an unknown kind'}`,
        timestamp: indicator.last_seen ?? indicator.first_seen,
      },
      contextNote('Malware', malware, 'Malware', { link: indicator.malware_malpedia }),
      contextNote('Aliases', indicator.malware_alias, 'Other names of the malware'),
      contextNote('Reference', indicator.reference, 'Reference', { link: indicator.reference }),
      contextNote('Reporter', indicator.reporter, 'Reported by', { timestamp: indicator.first_seen }),
      contextNote('Tags', named(indicator.tags), 'Tags'),
    ]),
  };
}
