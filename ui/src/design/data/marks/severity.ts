/** Shapes stand beside every colour, and tell the same without it. */
export type Shape = '◆' | '▲' | '●' | '○' | '◐' | '⏸' | '–';
/**
 * A custom property of design/tokens.css. Beside the colours of severities and of what is done, marks
 * have two: the accent for what waits for someone, grey for what is of no concern at present.
 */
export type ColourToken = 'critical' | 'high' | 'medium' | 'low' | 'done' | 'accent' | 'text-3';

export interface Appearance<Key extends string = string> {
  readonly shape: Shape;
  readonly colour: ColourToken;
  /** Key below `data` in the messages. */
  readonly message: Key;
}

export const SEVERITIES = {
  critical: { shape: '◆', colour: 'critical', message: 'severity.critical' },
  high: { shape: '▲', colour: 'high', message: 'severity.high' },
  medium: { shape: '●', colour: 'medium', message: 'severity.medium' },
  low: { shape: '○', colour: 'low', message: 'severity.low' },
  none: { shape: '–', colour: 'text-3', message: 'severity.none' },
} as const satisfies Record<string, Appearance>;

const ESCALATIONS = {
  evidence: { shape: '◆', colour: 'critical', message: 'escalation.evidence' },
  alert: { shape: '▲', colour: 'high', message: 'escalation.alert' },
  hit: { shape: '●', colour: 'low', message: 'escalation.hit' },
  miss: { shape: '○', colour: 'done', message: 'escalation.miss' },
  crisis: { shape: '◆', colour: 'critical', message: 'escalation.crisis' },
  focus: { shape: '▲', colour: 'high', message: 'escalation.focus' },
  normal: { shape: '●', colour: 'low', message: 'escalation.normal' },
} as const satisfies Record<string, Appearance>;

const STATUSES = {
  open: { shape: '○', colour: 'accent', message: 'status.open' },
  'in-progress': { shape: '◐', colour: 'medium', message: 'status.in-progress' },
  'on-hold': { shape: '⏸', colour: 'text-3', message: 'status.on-hold' },
  resolved: { shape: '●', colour: 'done', message: 'status.resolved' },
} as const satisfies Record<string, Appearance>;

const ASSESSMENTS = {
  compromise: { shape: '◆', colour: 'critical', message: 'assessment.compromise' },
  attempt: { shape: '▲', colour: 'high', message: 'assessment.attempt' },
  recon: { shape: '●', colour: 'medium', message: 'assessment.recon' },
  trivial: { shape: '○', colour: 'low', message: 'assessment.trivial' },
  mitigated: { shape: '◐', colour: 'low', message: 'assessment.mitigated' },
  ambiguous: { shape: '◐', colour: 'text-3', message: 'assessment.ambiguous' },
  security: { shape: '●', colour: 'done', message: 'assessment.security' },
  development: { shape: '●', colour: 'done', message: 'assessment.development' },
  'false-positive': { shape: '○', colour: 'done', message: 'assessment.false-positive' },
  legitimate: { shape: '○', colour: 'done', message: 'assessment.legitimate' },
} as const satisfies Record<string, Appearance>;

export type Severity = keyof typeof SEVERITIES;
type AppearanceOf<Table> = Table[keyof Table];

/** Returns undefined for a value that a later version may know: show its name alone. */
export function severityAppearance(severity: Severity): AppearanceOf<typeof SEVERITIES> {
  return SEVERITIES[severity];
}
export function escalationAppearance(value: string): AppearanceOf<typeof ESCALATIONS> | undefined {
  return lookUp(ESCALATIONS, value);
}
export function statusAppearance(value: string): AppearanceOf<typeof STATUSES> | undefined {
  return lookUp(STATUSES, value);
}
export function assessmentAppearance(value: string): AppearanceOf<typeof ASSESSMENTS> | undefined {
  return lookUp(ASSESSMENTS, value);
}

function lookUp<Table extends Readonly<Record<string, Appearance>>>(
  table: Table,
  value: string,
): AppearanceOf<Table> | undefined {
  const isKey = (key: string): key is Extract<keyof Table, string> => Object.hasOwn(table, key);
  return isKey(value) ? table[value] : undefined;
}

/** The fields of an alert that tell how bad it is. */
export interface SeveritySource {
  readonly event?: {
    readonly severity?: number | null | undefined;
    readonly risk_score_norm?: number | null | undefined;
    readonly risk_score?: number | null | undefined;
  } | null;
  readonly howler?: {
    readonly severity?: number | null | undefined;
    readonly score?: number | null | undefined;
    readonly escalation?: string | null | undefined;
  } | null;
}

const BY_ESCALATION: Readonly<Record<string, Severity>> = { evidence: 'critical', alert: 'high', hit: 'low' };

/**
 * Returns the severity of an alert: by `event.severity`, the rating of the analytic, risk scores, the
 * score, and last by its escalation. Sources count to 10 or to 100; the bands are those of CVSS (9, 7,
 * 4).
 */
export function severityOf({ event, howler }: SeveritySource): Severity {
  const given = [event?.severity, howler?.severity, event?.risk_score_norm, event?.risk_score, howler?.score];
  const value = given.find((number) => typeof number === 'number' && number > 0);
  return typeof value === 'number' ? severityOfNumber(value) : (BY_ESCALATION[howler?.escalation ?? ''] ?? 'none');
}

export function severityOfNumber(value: number): Severity {
  // A fraction below 1 is a share; up to 10 counts to 10; the rest to 100.
  const ofTen = value < 1 ? value * 10 : value <= 10 ? value : value / 10;
  if (!(ofTen > 0)) return 'none';
  if (ofTen >= 9) return 'critical';
  if (ofTen >= 7) return 'high';
  return ofTen >= 4 ? 'medium' : 'low';
}
