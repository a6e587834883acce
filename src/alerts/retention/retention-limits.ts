import type { Config } from '../../config/config.ts';
import { allOf, type QueryNode } from '../../datastore/port/query-tree.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { messageOf } from '../../errors/errors.ts';
import { failedStep, type JobStep } from '../../jobs/job.ts';

export type RetentionSettings = Config['system']['retention'];

/** Alerts that are to be deleted, and the limit that selects them. */
export interface RetentionLimit {
  readonly name: string;
  readonly query: QueryNode;
  /** The limit, for people. */
  readonly detail: string;
}

const SECONDS: Readonly<Record<RetentionSettings['limit_unit'], number>> = {
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
  weeks: 604_800,
};
const DAY = 86_400_000;
/** The year 1, in milliseconds: the oldest time of a document. */
const FIRST_MILLISECOND = -62_135_596_800_000;

/**
 * Returns the limits at this moment, in order, or the step that reports a rule that is off or broken.
 * By age the day of the cutoff (UTC) stays; `howler.expiry` and rules count to the millisecond.
 */
export function retentionLimits(
  { limit_unit, limit_amount, rules }: RetentionSettings,
  now: Date,
): readonly (RetentionLimit | JobStep)[] {
  const cutoff = Math.max(FIRST_MILLISECOND, Math.floor(before(now, limit_amount, limit_unit) / DAY) * DAY);
  const expiry = {
    name: 'expiry',
    query: earlier('howler.expiry', now.getTime()),
    detail: detailOf('howler.expiry', now.getTime()),
  };
  return [created('age', cutoff), expiry, ...rules.map((rule) => ruleLimit(rule, now))];
}

function ruleLimit(rule: RetentionSettings['rules'][number], now: Date): RetentionLimit | JobStep {
  const name = `rule ${rule.name}`;
  if (!rule.enabled) return { name, outcome: 'skipped', changed: 0, detail: 'disabled' };
  try {
    const selected = compileQuery(rule.query, hitDocument, { now });
    const limit = created(name, before(now, rule.limit_amount, rule.limit_unit));
    return { ...limit, query: allOf(selected, limit.query) };
  } catch (error) {
    return failedStep(name, `${messageOf(error)} Query: ${rule.query}`);
  }
}

function before(now: Date, amount: number, unit: RetentionSettings['limit_unit']): number {
  return Math.max(FIRST_MILLISECOND, now.getTime() - amount * SECONDS[unit] * 1000);
}

function created(name: string, cutoff: number): RetentionLimit {
  return { name, query: earlier('event.created', cutoff), detail: detailOf('event.created', cutoff) };
}

function earlier(field: string, time: number): QueryNode {
  return { kind: 'range', field, upper: { value: time, inclusive: false } };
}

function detailOf(field: string, time: number): string {
  return `${field} before ${new Date(time).toISOString()}`;
}
