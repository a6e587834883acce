import { present } from './json-record.ts';
import { type ModelFields, type ModelReading, readRecord } from './model-reading.ts';

export type AnnotationType = 'opinion' | 'frequency' | 'assessment' | 'mitigation' | 'context';

/** One statement of a source about a value. */
export interface Annotation {
  readonly analytic?: string | undefined;
  readonly author?: string | undefined;
  readonly analytic_icon?: string | undefined;
  readonly icon?: string | undefined;
  readonly quantity: number;
  readonly version?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly type: AnnotationType;
  readonly value: string | number;
  readonly confidence: number;
  readonly severity?: number | undefined;
  readonly priority?: number | undefined;
  readonly summary: string;
  readonly details?: string | undefined;
  readonly link?: string | undefined;
  readonly ubiquitous: boolean;
  /** 1 for annotations of a person; computed, never read. */
  readonly reliability?: number | undefined;
}

const TYPES: readonly AnnotationType[] = ['opinion', 'frequency', 'assessment', 'mitigation', 'context'];
/** Values of the types that have a list of them. */
const VALUES: Readonly<Partial<Record<AnnotationType, readonly string[]>>> = {
  opinion: ['benign', 'suspicious', 'malicious', 'obscure'],
  mitigation: ['exempt', 'alertable', 'blockable', 'shareable', 'not-alertable', 'not-blockable', 'not-shareable'],
  assessment:
    'ambiguous security development false-positive legitimate trivial recon attempt compromise mitigated'.split(' '),
};
const SHARE = { minimum: 0, maximum: 1 };

/** Reads an annotation. Computes priority and reliability; an absent time is the current one. */
export function readAnnotation(value: unknown): ModelReading<Annotation> {
  return readRecord(value, (fields) => {
    const annotation = {
      analytic: fields.optionalString('analytic'),
      analytic_icon: fields.optionalString('analytic_icon'),
      author: fields.optionalString('author'),
      quantity: fields.integer('quantity', 1),
      version: fields.optionalString('version'),
      timestamp: fields.raw('timestamp') === undefined ? now() : fields.optionalTimestamp('timestamp'),
      type: fields.oneOf('type', TYPES),
      value: statedValue(fields),
      confidence: fields.number('confidence', { range: SHARE }),
      severity: fields.optionalNumber('severity', SHARE),
      priority: fields.optionalNumber('priority'),
      summary: fields.string('summary'),
      details: fields.optionalString('details'),
      link: fields.optionalLink('link'),
      icon: fields.optionalString('icon'),
      ubiquitous: fields.boolean('ubiquitous', false),
      reliability: undefined as number | undefined,
    };
    return fields.done(
      () => {
        if (annotation.type === 'frequency') annotation.value = Math.trunc(Number(annotation.value));
        if (annotation.author) annotation.reliability = 1;
        annotation.priority = priorityOf(annotation);
        return present(annotation);
      },
      () => refusalOf(annotation),
    );
  });
}

function now(): string {
  return new Date().toISOString();
}

function statedValue(fields: ModelFields): string | number {
  const value = fields.raw('value');
  if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return value;
  fields.reject('value', value === undefined ? 'is required' : 'must be a string or a number');
  return '';
}

function refusalOf(annotation: Annotation): string | undefined {
  const { analytic, author, type, value, icon, analytic_icon: analyticIcon } = annotation;
  if (!analytic && !author) return 'must have an analytic or an author';
  if (analytic && author) return 'must not have both an analytic and an author';
  if (type === 'frequency') {
    if (typeof value === 'string' && !/^\s*[+-]?\d+\s*$/.test(value))
      return 'value must be a number for type frequency';
  } else if (typeof value !== 'string') {
    return `value must be a string for type ${type}`;
  }
  const allowed = VALUES[type];
  if (allowed !== undefined && !allowed.includes(value as string)) {
    return `value must be one of ${allowed.join(', ')} for type ${type}`;
  }
  if (icon && type !== 'context') return 'must not have an icon unless the type is context';
  if (icon && icon.split(':').length !== 2) return 'icon must have the form set:name';
  if (analyticIcon && analyticIcon.split(':').length !== 2) return 'analytic_icon must have the form set:name';
  return undefined;
}

function priorityOf({ priority, severity, confidence, reliability }: Annotation): number | undefined {
  if (priority || !severity) return priority;
  const modifier = reliability ?? confidence;
  return modifier * severity ** (2 - modifier);
}
