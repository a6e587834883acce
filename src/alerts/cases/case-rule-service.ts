import type { Coordination } from '../../coordination/coordination.ts';
import type { Versioned, Visible } from '../../datastore/port/collection.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import type { QueryNode } from '../../datastore/port/query-tree.ts';
import type { Selection } from '../../datastore/port/search.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type Case, caseRule } from '../../documents/kinds/case.ts';
import { readObject } from '../../documents/schema/read-document.ts';
import { readDate, UnreadableDate } from '../../documents/schema/values/date-values.ts';
import { pythonText } from '../../documents/schema/values/python-text.ts';
import { InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { CORRELATION_QUEUE, type CorrelationJob } from '../workers/correlation-queue.ts';
import { ofRule, type RunReport, type RunReports } from '../workers/run-reports.ts';
import { type CaseRule, definitionsOf, rejectCostlyRules } from './case-changes.ts';
import type { CaseContext } from './case-item-placement.ts';
import { type CaseLogEntry, logEntry } from './case-items.ts';

export interface CaseRuleServiceDependencies extends CaseContext {
  datastore: Pick<Datastore, 'collection'>;
  queues: Pick<Coordination['queues'], 'push'>;
  reports: Pick<RunReports, 'list'>;
}

type Input = Readonly<Record<string, unknown>>;

/** Members that an update may change, in the order in which messages name them. */
const CHANGEABLE: readonly string[] = ['destination', 'enabled', 'expire_after_resolved', 'query', 'timeframe'];
/** Records that are put into the queue together. */
const BATCH = 1000;
/** New records, at 0, do not wait for the records of a backfill. */
const BACKFILL_PRIORITY = -1;

/**
 * Manages rules that put matching records into a case.
 * Methods that change a case return it. With `ifVersion` they change that version alone, and throw
 * Conflict `version_conflict` otherwise.
 */
export class CaseRuleService {
  readonly #dependencies: CaseRuleServiceDependencies;

  constructor(dependencies: CaseRuleServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Adds a rule of the actor. Its query need not be one: it finds nothing then.
   * @throws NotFound `case_missing`; InvalidInput `case_rule_incomplete`, `invalid_document`, `query_too_complex`
   */
  add(actor: Actor, id: string, input: Input, visible: Visible): Promise<Versioned<Case>> {
    return this.#change(actor, id, visible, (present) => {
      for (const name of ['query', 'destination']) {
        if (!input[name]) throw new InvalidInput('case_rule_incomplete', `Rule '${name}' is required`, { at: name });
      }
      const { rule_id: _id, created_at: _created, ...rest } = input;
      const rule = this.#read({ ...rest, author: actor.username });
      const entry = logEntry(actor, `Added correlation rule targeting '${rule.destination}'`);
      return { rules: [...rulesOf(present), rule], entry };
    });
  }

  /** @throws as `add`, `remove`; InvalidInput `case_rule_unchanged` without a member that may change */
  update(
    actor: Actor,
    id: string,
    ruleId: string,
    change: Input,
    visible: Visible,
    ifVersion?: string,
  ): Promise<Versioned<Case>> {
    const keys = Object.keys(change).filter((key) => CHANGEABLE.includes(key));
    const plan = (present: Case) => {
      if (keys.length === 0) {
        const message = `No valid fields provided for update. Allowed fields: ${CHANGEABLE.join(', ')}`;
        throw new InvalidInput('case_rule_unchanged', message);
      }
      const rule = ruleOf(present, ruleId);
      const changed = this.#read({ ...rule, ...Object.fromEntries(keys.map((key) => [key, change[key]])) });
      const changes = keys.map((key) => `${key}: '${memberText(rule, key)}' → '${memberText(changed, key)}'`);
      const entry = logEntry(actor, `Updated correlation rule ${ruleId}: ${changes.join('; ')}`);
      return { rules: rulesOf(present).map((one) => (one === rule ? changed : one)), entry };
    };
    return this.#change(actor, id, visible, plan, ifVersion);
  }

  /** @throws NotFound `case_missing`, `case_rule_missing` */
  remove(actor: Actor, id: string, ruleId: string, visible: Visible): Promise<Versioned<Case>> {
    return this.#change(actor, id, visible, (present) => {
      const rule = ruleOf(present, ruleId);
      const entry = logEntry(actor, `Removed correlation rule ${ruleId}`);
      return { rules: rulesOf(present).filter((one) => one !== rule), entry };
    });
  }

  /**
   * Counts the records that match the rule and that the actor may find.
   * @param since ISO 8601, the earliest `timestamp` of the records; without an offset it is UTC
   * @throws NotFound `case_missing`, `case_rule_missing`; InvalidInput `case_rule_disabled`, `invalid_since`, `invalid_query`
   */
  async countBackfill(actor: Actor, id: string, ruleId: string, since: unknown): Promise<number> {
    let count = 0;
    for (const { collection, selection } of await this.#backfill(actor, id, ruleId, since)) {
      count += await collection.count(selection, actor.searchAccess);
    }
    return count;
  }

  /** Schedules older records that match and returns how many. Parameters and errors as `countBackfill`. */
  async backfill(actor: Actor, id: string, ruleId: string, since: unknown): Promise<number> {
    const { queues } = this.#dependencies;
    let queued = 0;
    let batch: CorrelationJob[] = [];
    const flush = async () => {
      if (batch.length > 0) await queues.push(CORRELATION_QUEUE, batch, { priority: BACKFILL_PRIORITY });
      queued += batch.length;
      batch = [];
    };
    for (const { collection, selection } of await this.#backfill(actor, id, ruleId, since)) {
      for await (const item of collection.stream({ ...selection, fields: ['howler.id'] }, actor.searchAccess)) {
        batch.push({ id: item.id, rule_id: ruleId });
        if (batch.length === BATCH) await flush();
      }
    }
    await flush();
    return queued;
  }

  /** Returns the last reports of a rule, the newest first; throws `case_missing`, `case_rule_missing`. */
  async runs(actor: Actor, id: string, ruleId: string): Promise<readonly RunReport[]> {
    const present = await this.#dependencies.cases.get(actor, id);
    if (!present) throw new NotFound('case_missing', `Case ${id} not found`);
    return this.#dependencies.reports.list(actor, ofRule(ruleOf(present, ruleId).rule_id));
  }

  /** Returns what a backfill looks through. */
  async #backfill(actor: Actor, id: string, ruleId: string, since: unknown) {
    const { cases, datastore } = this.#dependencies;
    const present = await cases.get(actor, id);
    if (!present) throw new NotFound('case_missing', `Case ${id} not found`);
    const rule = ruleOf(present, ruleId);
    if (!rule.enabled) throw new InvalidInput('case_rule_disabled', 'Only enabled rules can be backfilled');
    const recent: QueryNode = {
      kind: 'range',
      field: 'timestamp',
      lower: { value: readSince(since), inclusive: true },
    };
    return definitionsOf(rule).map((definition) => {
      const selection: Selection = { query: compileQuery(rule.query, definition), filters: [recent] };
      return { collection: datastore.collection(definition), selection };
    });
  }

  async #change(
    actor: Actor,
    id: string,
    visible: Visible,
    change: (present: Case) => { readonly rules: CaseRule[]; readonly entry: CaseLogEntry },
    ifVersion?: string,
  ): Promise<Versioned<Case>> {
    const plan = (present: Case) => {
      const { rules, entry } = change(present);
      rejectCostlyRules(rules, present.rules);
      return { rules, updated: entry.timestamp, log: [...(present.log ?? []), entry] };
    };
    const changed = await this.#dependencies.cases.change(actor, id, visible, plan, ifVersion);
    if (!changed) throw new NotFound('case_missing', `Case ${id} does not exist`);
    return changed;
  }

  #read(input: Input): CaseRule {
    const { classification } = this.#dependencies;
    return readObject(caseRule, input, { unknown: 'drop', classification, path: 'caserule' });
  }
}

function rulesOf({ rules }: Case): CaseRule[] {
  return rules ?? [];
}

/** @throws NotFound `case_rule_missing` */
function ruleOf(present: Case, ruleId: string): CaseRule {
  const rule = rulesOf(present).find((one) => one.rule_id === ruleId);
  if (!rule) throw new NotFound('case_rule_missing', `Rule ${ruleId} not found in case ${present.case_id}`);
  return rule;
}

function memberText(rule: CaseRule, key: string): string {
  return pythonText((rule as Readonly<Record<string, unknown>>)[key] ?? null);
}

/** Milliseconds since 1970. @throws InvalidInput `invalid_since` */
function readSince(since: unknown): number {
  if (typeof since === 'string' && /^\s*\d/.test(since)) {
    try {
      return Date.parse(readDate(since.trim(), new Date()));
    } catch (error) {
      if (!(error instanceof UnreadableDate)) throw error;
    }
  }
  throw new InvalidInput('invalid_since', "A valid 'since' datetime is required", { at: 'since' });
}
