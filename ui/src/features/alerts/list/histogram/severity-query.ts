import type { Severity } from '../../../../design/data/marks/severity.ts';

/** The ratings of an alert in the order in which `severityOf` reads them: the first one above 0 counts. */
const RATINGS = [
  'event.severity',
  'howler.severity',
  'event.risk_score_norm',
  'event.risk_score',
  'howler.score',
] as const;

type Band = Exclude<Severity, 'none'>;

/** The ratings of each severity, for sources that count to 1, to 10 and to 100. */
const BANDS: Readonly<Record<Band, readonly string[]>> = {
  critical: ['[0.9 TO 1}', '[9 TO 10]', '[90 TO *]'],
  high: ['[0.7 TO 0.9}', '[7 TO 9}', '[70 TO 90}'],
  medium: ['[0.4 TO 0.7}', '[4 TO 7}', '[40 TO 70}'],
  low: ['{0 TO 0.4}', '[1 TO 4}', '{10 TO 40}'],
};
const ESCALATIONS: Readonly<Record<Band, string | undefined>> = {
  critical: 'evidence',
  high: 'alert',
  medium: undefined,
  low: 'hit',
};

/** Returns the query of alerts of a severity, as `severityOf` tells it from one alert. */
export function severityQuery(severity: Band): string {
  const rated = RATINGS.map((field, index) => {
    const ranges = BANDS[severity].map((range) => `${field}:${range}`);
    return all([`(${ranges.join(' OR ')})`, ...RATINGS.slice(0, index).map(isUnrated)]);
  });
  const escalation = ESCALATIONS[severity];
  const unrated = escalation === undefined ? [] : [all([`howler.escalation:${escalation}`, ...RATINGS.map(isUnrated)])];
  return [...rated, ...unrated].join(' OR ');
}

function isUnrated(field: string): string {
  return `(NOT ${field}:{0 TO *])`;
}

function all(conditions: readonly string[]): string {
  return `(${conditions.join(' AND ')})`;
}
