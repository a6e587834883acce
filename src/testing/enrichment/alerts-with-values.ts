/** Classifications of alerts and clearances of users, the lowest first. */
export const LEVELS = ['UNRESTRICTED', 'RESTRICTED', 'RESTRICTED//ADMIN'] as const;
const ANALYTICS = ['Password Checker', 'Bad Guy Finder', 'Ünïcode [x](y)'];
const ASSESSMENTS = [undefined, undefined, 'compromise', 'false-positive', 'legitimate', 'ambiguous'];
/** A hash that some of the alerts have. */
export const SHA256 = 'AB12'.repeat(16);
const LONG_URL = `https://long.example/?q=${'"\\*'.repeat(300)}${'x'.repeat(3_000)}`;
/** Values as callers ask for them, spellings in alerts, and the fields that hold them. */
export const VALUES: readonly {
  readonly type: string;
  readonly value: string;
  readonly stored: readonly unknown[];
  readonly fields: readonly string[];
}[] = [
  {
    type: 'ipv4',
    value: '198.51.100.7',
    stored: ['198.51.100.7'],
    fields: ['source.ip', 'related.ip[]', 'source.address'],
  },
  { type: 'ipv4', value: '198.51.100.8', stored: ['::ffff:198.51.100.8'], fields: ['host.ip[]', 'destination.nat.ip'] },
  {
    type: 'ipv6',
    value: '2001:0DB8:0::1',
    stored: ['2001:db8::1', '2001:db8:0:0:0:0:0:1', '2001:DB8::1'],
    fields: ['source.ip', 'related.ip[]'],
  },
  {
    type: 'domain',
    value: 'Shop.Example.ORG',
    stored: ['shop.example.org'],
    fields: ['url.domain', 'related.hosts[]'],
  },
  {
    type: 'sha256',
    value: SHA256,
    stored: [SHA256, SHA256.toLowerCase()],
    fields: ['related.hash[]', 'howler.outline.indicators[]'],
  },
  { type: 'url', value: LONG_URL, stored: [LONG_URL], fields: ['url.full', 'related.uri[]'] },
  {
    type: 'url',
    value: 'http://a.example/*?x="1"&y=\\',
    stored: ['http://a.example/*?x="1"&y=\\'],
    fields: ['url.full'],
  },
  ...[
    'a*',
    'a?c',
    'abc',
    '*',
    '"quoted" AND NOT (x OR y)',
    '/r.*x/',
    '[a TO b]',
    'back\\slash\\',
    '😀 Ü',
    '__proto__',
    'constructor',
    '_exists_:howler.id',
    ' two  blanks ',
  ].map((text) => ({ type: 'userid', value: text, stored: [text], fields: ['user.name', 'related.user[]'] })),
  { type: 'port', value: '443', stored: [443], fields: ['destination.port'] },
  { type: 'email_address', value: 'Ann@Example.org', stored: ['ann@example.org'], fields: ['email.from.address'] },
  { type: 'userid', value: 'in no alert', stored: [], fields: [] },
];

export interface MadeAlert {
  readonly level: number;
  readonly held: ReadonlySet<number>;
  readonly time: string;
  readonly status: string;
  readonly assessment: string | undefined;
  readonly analytic: string;
}

/** Returns an alert that random numbers determine, with the values of `VALUES` that it holds. */
export function madeAlert(numbers: readonly number[], at: number) {
  const pick = <T>(values: readonly T[], which: number): T => values[(numbers[which] ?? 0) % values.length] as T;
  const level = (numbers[0] ?? 0) % LEVELS.length;
  const assessment = pick(ASSESSMENTS, 3);
  const alert = {
    level,
    held: new Set<number>(),
    time: new Date(Date.UTC(2026, 0, 1) + ((numbers[1] ?? 0) % 80) * 86_400_000 + at).toISOString(),
    // Assessed alerts are resolved.
    status: assessment === undefined ? pick(['open', 'in-progress', 'on-hold', 'resolved'], 2) : 'resolved',
    assessment,
    analytic: pick(ANALYTICS, 4),
  };
  const document: Record<string, unknown> = {
    classification: LEVELS[level],
    timestamp: alert.time,
    'howler.analytic': alert.analytic,
    'howler.status': alert.status,
    ...(alert.assessment === undefined ? {} : { 'howler.assessment': alert.assessment }),
  };
  for (const which of [5, 6, 7]) {
    const index =
      which === 5 && at % 10 !== 0
        ? VALUES.findIndex(({ type }) => type === 'port')
        : (numbers[which] ?? 0) % VALUES.length;
    const { stored, fields } = VALUES[index] ?? { stored: [], fields: [] };
    const field = fields[(numbers[which + 3] ?? 0) % Math.max(1, fields.length)];
    if (field === undefined) continue;
    const path = field.replace('[]', '');
    if (document[path] !== undefined) continue;
    const value = stored[at % stored.length];
    document[path] = field.endsWith('[]') ? [value, value] : value;
    alert.held.add(index);
  }
  return { alert, document };
}
