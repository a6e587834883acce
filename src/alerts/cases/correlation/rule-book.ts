import type { Coordination } from '../../../coordination/coordination.ts';
import type { QueryNode } from '../../../datastore/port/query-tree.ts';
import { compileQuery } from '../../../datastore/query-language/compile-query.ts';
import type { Case } from '../../../documents/kinds/case.ts';
import { isObject } from '../../../documents/schema/plain-objects.ts';
import { isTriadError } from '../../../errors/errors.ts';
import { ofRule, type RunReports } from '../../workers/run-reports.ts';
import type { CaseRule } from '../case-changes.ts';
import { DestinationTemplate } from '../case-destination.ts';
import { RECORD_DOCUMENTS, type RecordType } from '../case-items.ts';
import { ALL_CASES, CASES_CHANNEL, type CaseStore } from '../case-store.ts';
import { RuleIndex } from './rule-index.ts';

/** A rule that is ready to be evaluated on records of one kind. */
export interface BookedRule {
  readonly rule: CaseRule;
  readonly caseId: string;
  /** Place in its case: the first rule that matches a record files it. */
  readonly place: number;
  readonly type: RecordType;
  readonly node: QueryNode;
  /** The query has dates that are relative to the present, so it is compiled for each evaluation. */
  readonly isRelative: boolean;
  readonly destination: DestinationTemplate;
  /** Milliseconds since 1970 at which the rule ends; undefined: it does not. */
  readonly ends: number | undefined;
}

export type RuleIndexes = Readonly<Record<RecordType, RuleIndex<BookedRule>>>;

interface RuleBookDependencies {
  cases: Pick<CaseStore, 'collection' | 'getAll'>;
  events: Pick<Coordination['events'], 'subscribe'>;
  reports: Pick<RunReports, 'add'>;
  log: { warn(entry: object, message: string): void };
  /** Milliseconds since 1970. Default: the present time. */
  now?: () => number;
}

const DAY = 86_400_000;
/** Milliseconds after which the rules are read again: an event may have been missed. */
const RELOAD_INTERVAL = 60_000;
/** Cases that are read together. */
const READ_AT_ONCE = 50;
/** Limits of the rules that are evaluated, of all authors and of each; others are reported. */
const MAX_RULES = 20_000;
export const MAX_AUTHOR_RULES = 5000;
const MAX_AUTHOR_CHARACTERS = 1_000_000;

interface BookedCase {
  /** Tells a change of the rules, or of what decides when they end. */
  readonly signature: string | undefined;
  readonly rules: readonly BookedRule[];
}

/**
 * Holds the enabled rules of all cases, compiled once. It follows the events of cases, which carry the
 * changed case, so a rule counts as soon as it is stored, also where searches show it later.
 */
export class RuleBook {
  readonly #dependencies: RuleBookDependencies;
  readonly #cases = new Map<string, BookedCase>();
  readonly #usage = new RuleUsage();
  #indexes: RuleIndexes | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  /** Cases whose event is newer than what a load in progress reads. */
  #changedWhileLoading: Set<string> | undefined;
  #unsubscribe: (() => Promise<void>) | undefined;

  constructor(dependencies: RuleBookDependencies) {
    this.#dependencies = dependencies;
  }

  /** Starts to follow the events of cases. Until then the rules are read for each batch. */
  async start(): Promise<void> {
    const { events, log } = this.#dependencies;
    this.#unsubscribe ??= await events.subscribe(CASES_CHANNEL, (_channel, payload) => {
      if (!isObject(payload) || !isObject(payload.case)) return;
      const changed = payload.case as unknown as Case;
      this.#changedWhileLoading?.add(changed.case_id);
      this.#book(changed).catch((err: unknown) => log.warn({ err, case: changed.case_id }, 'rules could not be read'));
    });
  }

  async stop(): Promise<void> {
    await this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** Returns the rules by the kind of record. @throws Unavailable */
  async current(): Promise<RuleIndexes> {
    const now = this.#now();
    if (this.#unsubscribe === undefined || now - this.#loadedAt >= RELOAD_INTERVAL) {
      await this.#load();
      this.#loadedAt = now;
    }
    if (this.#indexes === undefined) {
      const rules = [...this.#cases.values()].flatMap((one) => one.rules);
      this.#indexes = { hit: indexOf(rules, 'hit'), event: indexOf(rules, 'event') };
    }
    return this.#indexes;
  }

  /** Reads cases by their identifiers, because searches of an engine may show an older state of them. */
  async #load(): Promise<void> {
    const { cases } = this.#dependencies;
    const changed = new Set<string>();
    this.#changedWhileLoading = changed;
    const ids = new Set(this.#cases.keys());
    const selection = { query: { kind: 'exists', field: 'rules.rule_id' }, fields: ['case_id'] } as const;
    for await (const { id } of cases.collection.stream(selection, ALL_CASES)) ids.add(id);
    const wanted = [...ids];
    for (let from = 0; from < wanted.length; from += READ_AT_ONCE) {
      const part = wanted.slice(from, from + READ_AT_ONCE);
      const found = await cases.getAll(part);
      for (const one of found) if (!changed.has(one.case_id)) await this.#book(one);
      const present = new Set(found.map(({ case_id }) => case_id));
      for (const id of part) if (!present.has(id)) this.#forget(id);
    }
    this.#changedWhileLoading = undefined;
  }

  async #book(stored: Case): Promise<void> {
    const { case_id: caseId, rules = [] } = stored;
    const enabled = rules.filter((rule) => rule.enabled);
    if (enabled.length === 0) {
      this.#forget(caseId);
      return;
    }
    const resolvedAt = enabled.some((rule) => rule.expire_after_resolved) ? lastResolution(stored) : undefined;
    const signature = JSON.stringify([enabled, resolvedAt]);
    if (this.#cases.get(caseId)?.signature === signature) return;
    this.#forget(caseId);
    const problems: { rule: CaseRule; message: string }[] = [];
    const booked: BookedRule[] = [];
    let isComplete = true;
    for (const [place, rule] of enabled.entries()) {
      try {
        if (!this.#usage.fits(rule)) {
          isComplete = false;
          problems.push({ rule, message: FULL });
          continue;
        }
        const destination = new DestinationTemplate(rule.destination);
        const ends = endOf(rule, resolvedAt);
        const isRelative = /\bnow\b/i.test(rule.query);
        const nodes = [...new Set(rule.indexes)].map((type) => ({ type, node: nodeOf(rule, type) }));
        for (const { type, node } of nodes) {
          booked.push({ rule, caseId, place, type, destination, ends, isRelative, node });
        }
        this.#usage.change(rule, 1);
      } catch (error) {
        if (!isTriadError(error)) throw error;
        problems.push({ rule, message: error.message });
      }
    }
    // Rules that were left out are looked at again with every load.
    this.#cases.set(caseId, { signature: isComplete ? signature : undefined, rules: booked });
    this.#indexes = undefined;
    for (const { rule, message } of problems) {
      const outcome = { outcome: 'error', title: 'Invalid rule', message } as const;
      const about = [{ classification: stored.classification }];
      await this.#dependencies.reports.add(ofRule(rule.rule_id), {
        cause: 'change',
        user: rule.author,
        about,
        outcomes: [outcome],
      });
    }
  }

  #forget(caseId: string): void {
    const known = this.#cases.get(caseId);
    if (known === undefined) return;
    for (const rule of new Set(known.rules.map((one) => one.rule))) this.#usage.change(rule, -1);
    this.#cases.delete(caseId);
    this.#indexes = undefined;
  }

  #now(): number {
    return this.#dependencies.now?.() ?? Date.now();
  }
}

function indexOf(rules: readonly BookedRule[], type: RecordType): RuleIndex<BookedRule> {
  return new RuleIndex(rules.filter((rule) => rule.type === type));
}

const FULL = `The rule is not evaluated: at most ${MAX_AUTHOR_RULES} enabled rules of one author, with ${MAX_AUTHOR_CHARACTERS} characters in their queries, and ${MAX_RULES} of all authors are. Disable others.`;

/** Counts the rules that are held, so that those of one author leave room for others. */
class RuleUsage {
  #rules = 0;
  readonly #authors = new Map<string, { rules: number; characters: number }>();

  fits({ author, query }: CaseRule): boolean {
    const { rules, characters } = this.#of(author);
    const isFull = this.#rules >= MAX_RULES || rules >= MAX_AUTHOR_RULES;
    return !isFull && characters + query.length <= MAX_AUTHOR_CHARACTERS;
  }

  change({ author, query }: CaseRule, by: 1 | -1): void {
    const { rules, characters } = this.#of(author);
    this.#rules += by;
    if (rules + by === 0) this.#authors.delete(author);
    else this.#authors.set(author, { rules: rules + by, characters: characters + by * query.length });
  }

  #of(author: string) {
    return this.#authors.get(author) ?? { rules: 0, characters: 0 };
  }
}

/** @throws InvalidInput `invalid_query`, `query_too_complex` */
export function nodeOf({ query }: CaseRule, type: RecordType): QueryNode {
  return compileQuery(query, RECORD_DOCUMENTS[type]);
}

function endOf({ timeframe, expire_after_resolved: expires, created_at: created }: CaseRule, resolvedAt?: number) {
  if (timeframe === undefined || timeframe === null) return undefined;
  const start = expires ? resolvedAt : Date.parse(created);
  return start === undefined ? undefined : start + Number(timeframe) * DAY;
}

/** Returns the milliseconds since 1970 at which the case was last resolved. */
function lastResolution({ log = [] }: Case): number | undefined {
  const times = log
    .filter(({ key, new_value: value }) => key === 'status' && value === 'resolved')
    .map(({ timestamp }) => Date.parse(timestamp));
  return times.length === 0 ? undefined : Math.max(...times);
}
