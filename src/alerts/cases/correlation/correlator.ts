import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { QueryNode } from '../../../datastore/port/query-tree.ts';
import { indexedValues } from '../../../datastore/query-language/indexed-values.ts';
import { matchesIndexed } from '../../../datastore/query-language/matches.ts';
import { StepBudget } from '../../../datastore/regular-language/query-limits.ts';
import { toOutput } from '../../../documents/schema/output.ts';
import { isTriadError, isUnavailable } from '../../../errors/errors.ts';
import type { Actor } from '../../../identity/actor.ts';
import { type CorrelationJob, readCorrelationJobs } from '../../workers/correlation-queue.ts';
import { ofRule, type RunOutcome, type RunReports } from '../../workers/run-reports.ts';
import type { CaseItemService, FilingReport } from '../case-item-service.ts';
import { type CaseRecord, RECORD_DOCUMENTS } from '../case-items.ts';
import type { CaseRecords } from '../case-records.ts';
import { type BookedRule, nodeOf, type RuleBook, type RuleIndexes } from './rule-book.ts';

interface CorrelatorDependencies {
  book: Pick<RuleBook, 'current'>;
  records: Pick<CaseRecords, 'find'>;
  items: Pick<CaseItemService, 'file'>;
  reports: Pick<RunReports, 'add'>;
  /** Returns the present rights of a user; undefined when the account is gone or disabled. */
  actorFor: (username: string) => Promise<Actor | undefined>;
  log: { warn(entry: object, message: string): void; error(entry: object, message: string): void };
  counter: { inc(by: number): void };
}

/** Records that are read and evaluated together, within one budget. */
const RECORDS_AT_ONCE = 200;
/** Steps that the rules of one author may take for them; a step takes at most 150 ns. */
export const MAX_AUTHOR_STEPS = 1_000_000;
/** Steps that all rules may take for them. */
export const MAX_STEPS = 5_000_000;
/** Steps after which other work gets its turn, and those that taking a record apart counts. */
const SLICE_STEPS = 50_000;
const RECORD_STEPS = 500;
/** Steps that reading a character of a query counts. */
const CHARACTER_STEPS = 2;
/** Milliseconds between two reports that a rule was not evaluated. */
const REPORT_INTERVAL = 60_000;

/** A record that a rule matched. */
interface Match {
  readonly booked: BookedRule;
  readonly record: CaseRecord;
  readonly cause: 'arrival' | 'backfill';
}

type FoundRecord = Awaited<ReturnType<CaseRecords['find']>>[number];

/**
 * Files new records into the cases whose rules match them.
 * Rules are evaluated in memory and act with the clearance of their author. What is not filed stands in their report.
 */
export class Correlator {
  readonly #dependencies: CorrelatorDependencies;
  /** Rules over a budget that were reported lately. */
  readonly #reported = new LRUCache<string, true>({ max: 10_000, ttl: REPORT_INTERVAL });

  constructor(dependencies: CorrelatorDependencies) {
    this.#dependencies = dependencies;
  }

  /** Works on items of the correlation queue; others are ignored. @throws Unavailable */
  async run(items: readonly unknown[]): Promise<void> {
    const read = items.map(readCorrelationJobs);
    const dropped = read.filter((jobs) => jobs.length === 0).length;
    if (dropped > 0) this.#dependencies.log.warn({ dropped }, 'items of a queue name no records and were dropped');
    const jobs = read.flat();
    if (jobs.length === 0) return;
    const indexes = await this.#dependencies.book.current();
    if (indexes.hit.size + indexes.event.size === 0) return;
    const byRecord = Map.groupBy(jobs, ({ id }) => id);
    const ids = [...byRecord.keys()];
    for (let from = 0; from < ids.length; from += RECORDS_AT_ONCE) {
      const records = await this.#dependencies.records.find(ids.slice(from, from + RECORDS_AT_ONCE));
      const evaluation = new Evaluation(indexes, byRecord);
      const matches: Match[] = [];
      for (const record of records) matches.push(...(await evaluation.matchesOf(record)));
      for (const rule of evaluation.skipped) await this.#reportSkipped(rule);
      for (const inCase of Map.groupBy(matches, ({ booked }) => booked.caseId).values()) await this.#file(inCase);
    }
  }

  /** Files what rules of one case matched: one change of the case for each author. */
  async #file(matches: readonly Match[]): Promise<void> {
    for (const [author, own] of Map.groupBy(matches, ({ booked }) => booked.rule.author)) {
      const report = await this.#fileBy(author, own);
      for (const ofOne of Map.groupBy(own, ({ booked }) => booked.rule.rule_id).values()) {
        await this.#report(author, ofOne, report);
      }
    }
  }

  async #fileBy(author: string, matches: readonly Match[]): Promise<FilingReport | string> {
    const { actorFor, counter, items, log } = this.#dependencies;
    const [first] = matches;
    const actor = await actorFor(author);
    if (actor === undefined) return `The author of the rule, ${author}, is gone or disabled.`;
    if (first === undefined) return '';
    const { caseId } = first.booked;
    const records = matches.map(({ booked: { type, destination }, record }) => {
      // Templates name fields as answers have them, the kind of record included.
      return { type, record: toOutput(RECORD_DOCUMENTS[type], record) as CaseRecord, destination };
    });
    try {
      const report = await items.file(actor, caseId, records, 'soon', true);
      if (report === undefined) return `The case ${caseId} is gone, or above the classification of ${author}.`;
      if (report.filed.length > 0) counter.inc(report.filed.length);
      return report;
    } catch (err) {
      if (isUnavailable(err)) throw err;
      if (!isTriadError(err)) log.error({ err, case: caseId }, 'records could not be filed by the rules of a case');
      return isTriadError(err) ? err.message : 'An internal error; the log has it.';
    }
  }

  async #report(author: string, matches: readonly Match[], report: FilingReport | string): Promise<void> {
    const [first] = matches;
    if (first === undefined) return;
    const outcomes = typeof report === 'string' ? [failed('Not filed', report)] : outcomesOf(report, matches);
    if (outcomes.length === 0) return;
    const { booked, cause } = first;
    const about = matches.map(({ record }) => record);
    await this.#dependencies.reports.add(ofRule(booked.rule.rule_id), { cause, user: author, about, outcomes });
  }

  async #reportSkipped({ rule }: BookedRule): Promise<void> {
    if (this.#reported.has(rule.rule_id)) return;
    this.#reported.set(rule.rule_id, true);
    const message = `The rules of ${rule.author} took more than ${MAX_AUTHOR_STEPS} steps for ${RECORDS_AT_ONCE} records, or those of all users more than ${MAX_STEPS}. Have the query require a value of a field, which is looked up.`;
    const outcomes = [failed('Not evaluated', message)];
    await this.#dependencies.reports.add(ofRule(rule.rule_id), {
      cause: 'arrival',
      user: rule.author,
      about: [],
      outcomes,
    });
  }
}

/** Evaluates rules on records within budgets. */
class Evaluation {
  /** Rules that were not evaluated on every record. */
  readonly skipped = new Set<BookedRule>();
  readonly #indexes: RuleIndexes;
  readonly #jobs: ReadonlyMap<string, readonly CorrelationJob[]>;
  readonly #budgets = new Map<string, StepBudget>();
  readonly #relative = new Map<BookedRule, QueryNode>();
  #left = MAX_STEPS;
  #sincePause = 0;

  constructor(indexes: RuleIndexes, jobs: ReadonlyMap<string, readonly CorrelationJob[]>) {
    this.#indexes = indexes;
    this.#jobs = jobs;
  }

  /** Returns the first rule of each case that matches a record. */
  async matchesOf({ type, record }: FoundRecord): Promise<readonly Match[]> {
    const jobs = this.#jobs.get(record.howler.id) ?? [];
    const named = new Set(jobs.map((job) => job.rule_id));
    const isForAll = named.has(null);
    if (this.#sincePause >= SLICE_STEPS) await this.#pause();
    const document = indexedValues(RECORD_DOCUMENTS[type], record);
    this.#sincePause += RECORD_STEPS;
    const now = Date.now();
    const matches = new Map<string, Match>();
    for (const booked of this.#indexes[type].candidates(document)) {
      // Most candidates do not match: a promise for each would cost more than the evaluation.
      if (this.#sincePause >= SLICE_STEPS) await this.#pause();
      const { rule, caseId, ends, place } = booked;
      const isNamed = named.has(rule.rule_id);
      const isActive = isForAll && (ends === undefined || ends > now);
      if (!(isNamed || isActive)) continue;
      const earlier = matches.get(caseId);
      if (earlier !== undefined && earlier.booked.place < place) continue;
      if (this.#holds(booked, document)) {
        matches.set(caseId, { booked, record, cause: isNamed ? 'backfill' : 'arrival' });
      }
    }
    return [...matches.values()];
  }

  #holds(booked: BookedRule, document: ReturnType<typeof indexedValues>): boolean {
    const budget = this.#budgetOf(booked.rule.author);
    const before = budget.left;
    if (before <= 0 || this.#left <= 0) {
      this.skipped.add(booked);
      return false;
    }
    try {
      return matchesIndexed(this.#nodeOf(booked, budget), document, budget);
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      this.skipped.add(booked);
      return false;
    } finally {
      const steps = before - budget.left;
      this.#left -= steps;
      this.#sincePause += steps;
    }
  }

  /** Dates that are relative to the present are read again for each evaluation. */
  #nodeOf(booked: BookedRule, budget: StepBudget): QueryNode {
    if (!booked.isRelative) return booked.node;
    let node = this.#relative.get(booked);
    if (node === undefined) {
      budget.spend(booked.rule.query.length * CHARACTER_STEPS);
      node = nodeOf(booked.rule, booked.type);
      this.#relative.set(booked, node);
    }
    return node;
  }

  #budgetOf(author: string): StepBudget {
    let budget = this.#budgets.get(author);
    if (budget === undefined) {
      budget = new StepBudget(MAX_AUTHOR_STEPS, () => new OverBudget());
      this.#budgets.set(author, budget);
    }
    return budget;
  }

  async #pause(): Promise<void> {
    this.#sincePause = 0;
    await setImmediate();
  }
}

class OverBudget extends Error {}

/** Returns what a rule did; none when everything was in the case before. */
function outcomesOf({ filed, refused }: FilingReport, matches: readonly Match[]): readonly RunOutcome[] {
  const ids = new Set(matches.map(({ record }) => record.howler.id));
  const count = filed.filter((id) => ids.has(id)).length;
  const outcomes: RunOutcome[] = [];
  if (count > 0) {
    outcomes.push({
      outcome: 'success',
      title: 'Filed',
      message: `${count === 1 ? '1 record was' : `${count} records were`} filed into the case.`,
    });
  }
  for (const { id, error } of refused) {
    if (ids.has(id)) outcomes.push({ outcome: 'skipped', title: 'Not filed', message: error.message });
  }
  return outcomes;
}

function failed(title: string, message: string): RunOutcome {
  return { outcome: 'error', title, message };
}
