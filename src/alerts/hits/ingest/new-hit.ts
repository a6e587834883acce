import { type Hit, hitDocument } from '../../../documents/kinds/hit.ts';
import type { ClassificationRules } from '../../../documents/schema/field-spec.ts';
import { readDocument } from '../../../documents/schema/read-document.ts';
import { formatDate } from '../../../documents/schema/values/date-values.ts';
import { ESCALATION_OF_ASSESSMENT } from '../triage/triage-transitions.ts';
import { identify, RawRecord } from './raw-record.ts';

export interface NewHitOptions {
  readonly classification: ClassificationRules;
  readonly now: Date;
  /** Fields that do not exist: `refuse` (default), or `warn` and leave them out. */
  readonly unknown?: 'refuse' | 'warn';
}

export interface NewHit {
  readonly hit: Hit;
  /** For the sender, in the public system's words. */
  readonly warnings: readonly string[];
}

/** Names that read well; others are accepted with a warning. */
const GOOD_NAME = /^[A-Za-z ]+$/;

/**
 * An alert as a tool sends it, made into one that can be stored (contract/alert.md section 3.4): a new identifier, a hash when none
 * came, the times that are missing, and verdict, escalation and status in agreement. Pure but for the identifier.
 * @param input nested, flat (`howler.analytic`) or mixed; not changed
 * @throws InvalidInput `invalid_document` or `invalid_classification`, with the first thing that is wrong
 */
export function readNewHit(input: unknown, options: NewHitOptions): NewHit {
  const given = new RawRecord(input, 'hit');
  const prepared = given.prepared({
    analytic: given.howlerValue('analytic') ?? 'no_analytic',
    detection: given.howlerValue('detection') ?? 'no_detection',
  });
  const { document: hit, warnings } = readDocument(hitDocument, prepared, {
    unknown: options.unknown ?? 'refuse',
    classification: options.classification,
    now: options.now,
  });
  identify(hit, formatDate(options.now));
  return { hit, warnings: [...warnings, ...nameWarnings(hit), ...agree(hit)] };
}

function nameWarnings({ howler }: Hit): readonly string[] {
  const warnings: string[] = [];
  for (const [kind, name] of [
    ['analytic', howler.analytic],
    ['detection', howler.detection],
  ] as const) {
    if (!name || GOOD_NAME.test(name)) continue;
    warnings.push(
      `The value ${name} does not match best practices for Howler ${kind} names. See howler's documentation for more information.`,
    );
  }
  return warnings;
}

/** Makes verdict, escalation and status of a new alert agree. */
function agree({ howler }: Hit): readonly string[] {
  const warnings: string[] = [];
  if (howler.assessment) {
    const escalation = ESCALATION_OF_ASSESSMENT[howler.assessment];
    if (howler.escalation !== escalation) {
      howler.escalation = escalation;
      warnings.push(`Hits with assessment ${howler.assessment} must also have escalation set to ${escalation}.`);
    }
  }
  if ((howler.escalation === 'miss' || howler.escalation === 'evidence') && howler.status !== 'resolved') {
    howler.status = 'resolved';
    warnings.push('Hits with escalation miss or evidence must also have their status set to resolved.');
  }
  return warnings;
}
