import { type Adapter, askEach, encoded, type VendorRequest } from '../../adapter.ts';
import { count, maybe, number, readAnswer, record, type Shape, some, text, time } from '../../answer-shape.ts';
import { contextNote, type Finding, type Note, named, present } from '../../finding.ts';
import { abuseCh } from '../abuse-ch.ts';

/** Counts are written as numbers and as strings. */
const URL_COUNT: Shape<number | undefined> = maybe(count);
const LISTED = record({ url: text, url_status: maybe(text), threat: maybe(text), tags: some(text) });
const URL_ANSWER = record({
  urlhaus_reference: maybe(text),
  url_status: text,
  threat: maybe(text),
  date_added: maybe(time),
  reporter: maybe(text),
  tags: some(text),
  payloads: some(record({ signature: maybe(text), file_type: maybe(text) })),
});
const HOST_ANSWER = record({
  urlhaus_reference: maybe(text),
  firstseen: maybe(time),
  url_count: URL_COUNT,
  urls: some(LISTED),
});
const PAYLOAD_ANSWER = record({
  sha256_hash: text,
  file_type: maybe(text),
  file_size: maybe(number),
  signature: maybe(text),
  firstseen: maybe(time),
  url_count: URL_COUNT,
  urls: some(LISTED),
});

/** Asks URLhaus of abuse.ch for addresses that spread malware. */
export const urlhaus: Adapter = {
  name: 'urlhaus',
  title: 'URLhaus',
  documentation: 'https://urlhaus-api.abuse.ch/',
  types: ['md5', 'sha256', 'ipv4', 'domain', 'url'],
  url: 'https://urlhaus-api.abuse.ch/v1',
  ...abuseCh({
    invalid_url: 'value',
    invalid_host: 'value',
    invalid_md5_hash: 'value',
    invalid_sha256_hash: 'value',
  }),
  lookup: askEach(
    ({ type, value }): VendorRequest => {
      if (type === 'url') return { path: '/url/', form: { url: value } };
      if (type === 'md5' || type === 'sha256') return { path: '/payload/', form: { [`${type}_hash`]: value } };
      return { path: '/host/', form: { host: value } };
    },
    (answer, { type, value }) => {
      if (type === 'url') return [urlFinding(readAnswer(URL_ANSWER, answer))];
      if (type === 'md5' || type === 'sha256') return [payloadFinding(readAnswer(PAYLOAD_ANSWER, answer))];
      return [hostFinding(readAnswer(HOST_ANSWER, answer), value)];
    },
  ),
};

function urlFinding(answer: ReturnType<typeof URL_ANSWER>): Finding {
  const { url_status: status, threat, date_added: timestamp, tags, payloads } = answer;
  return {
    link: answer.urlhaus_reference,
    notes: present([
      malicious(`Spreads malware (${threat ?? 'unknown threat'}), is ${status}`, timestamp),
      contextNote('Malware', named(payloads.map(({ signature }) => signature ?? '')), 'Malware'),
      contextNote('Tags', named(tags), 'Tags'),
      contextNote('Reporter', answer.reporter, 'Reported by'),
    ]),
  };
}

function hostFinding(
  { urls, url_count: total = urls.length, ...answer }: ReturnType<typeof HOST_ANSWER>,
  host: string,
): Finding {
  const online = urls.filter(({ url_status: status }) => status === 'online').length;
  const summary = `${total} addresses of this host spread or spread malware, ${online} of the newest are online`;
  const opinion = malicious(summary, answer.firstseen);
  return {
    count: total,
    link: answer.urlhaus_reference ?? `https://urlhaus.abuse.ch/host/${encoded(host)}/`,
    notes: present([
      total > 0 && { ...opinion, quantity: total, ...(online > 0 ? {} : { value: 'suspicious', confidence: 0.5 }) },
      contextNote('Threats', named(urls.map(({ threat }) => threat ?? '')), 'Threats'),
      contextNote('Tags', named(urls.flatMap(({ tags }) => tags)), 'Tags'),
    ]),
  };
}

function payloadFinding(answer: ReturnType<typeof PAYLOAD_ANSWER>): Finding {
  const { sha256_hash: sha256, url_count: total = answer.urls.length, firstseen: timestamp } = answer;
  return {
    count: total,
    link: `https://urlhaus.abuse.ch/browse.php?search=${encoded(sha256)}`,
    notes: present([
      { ...malicious(`Was spread by ${total} addresses`, timestamp), quantity: total },
      contextNote('Malware', answer.signature, 'Malware'),
      contextNote('File type', answer.file_type, 'File type'),
      contextNote('File size', answer.file_size, 'Bytes'),
    ]),
  };
}

function malicious(summary: string, timestamp: string | undefined): Note {
  return { about: 'Malware', type: 'opinion', value: 'malicious', confidence: 0.9, summary, timestamp };
}
