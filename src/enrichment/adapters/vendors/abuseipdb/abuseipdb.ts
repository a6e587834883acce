import { type Adapter, askEach, encoded } from '../../adapter.ts';
import { count, flag, maybe, number, readAnswer, record, text, time } from '../../answer-shape.ts';
import { contextNote, countryIcon, type Note, present } from '../../finding.ts';

const REPORT = record({
  abuseConfidenceScore: number,
  totalReports: count,
  isWhitelisted: maybe(flag),
  numDistinctUsers: maybe(count),
  lastReportedAt: maybe(time),
  countryCode: maybe(text),
  usageType: maybe(text),
  isp: maybe(text),
  domain: maybe(text),
  isTor: maybe(flag),
});
const ANSWER = record({ data: REPORT });
type Report = ReturnType<typeof REPORT>;

/** Days whose reports count. */
const MAX_AGE = '90';
/** Scores (percent) from which an address counts as malicious, and as suspicious. */
const MALICIOUS = 75;
const SUSPICIOUS = 25;

/** Asks AbuseIPDB for reports of abuse by an address. */
export const abuseipdb: Adapter = {
  name: 'abuseipdb',
  title: 'AbuseIPDB',
  reach: 'passive',
  documentation: 'https://docs.abuseipdb.com/#check-endpoint',
  types: ['ipv4', 'ipv6'],
  url: 'https://api.abuseipdb.com/api/v2',
  key: { in: 'header', name: 'key' },
  rateLimits: ['1000/day'],
  lookup: askEach(
    ({ value }) => ({ path: '/check', query: { ipAddress: value, maxAgeInDays: MAX_AGE } }),
    (answer, { value }) => {
      const { data } = readAnswer(ANSWER, answer);
      return [
        {
          count: data.totalReports,
          link: `https://www.abuseipdb.com/check/${encoded(value)}`,
          notes: present([
            opinionOf(data),
            contextNote('Usage', data.usageType, 'Usage'),
            contextNote('Provider', data.isp, 'Provider', { icon: countryIcon(data.countryCode) }),
            contextNote('Domain', data.domain, 'Domain'),
            data.isTor === true && contextNote('Tor', 'Tor', 'The address is a Tor node', { summary: 'A Tor node' }),
          ]),
        },
      ];
    },
  ),
};

function opinionOf(report: Report): Note | undefined {
  const { abuseConfidenceScore: score, totalReports: reports, numDistinctUsers: users, isWhitelisted } = report;
  const common = { about: 'Reports', type: 'opinion', timestamp: report.lastReportedAt } as const;
  if (isWhitelisted === true && score < SUSPICIOUS) {
    return { ...common, value: 'benign', summary: 'AbuseIPDB lists the address as harmless', isCommon: true };
  }
  if (reports === 0) return undefined;
  const value = score >= MALICIOUS ? 'malicious' : score >= SUSPICIOUS ? 'suspicious' : 'obscure';
  const by = users === undefined ? '' : ` by ${users} users`;
  const summary = `${reports} reports${by} in ${MAX_AGE} days, confidence of abuse ${score} %`;
  return { ...common, value, summary, quantity: reports, confidence: Math.max(score, 1) / 100 };
}
