import type { ClassificationEngine } from '../../classification/classification.ts';
import { changeDocument } from '../../datastore/port/change-document.ts';
import type { Collection, Versioned, Visible } from '../../datastore/port/collection.ts';
import type { QueryNode } from '../../datastore/port/query-tree.ts';
import { type ReadAccess, unrestricted } from '../../datastore/port/read-access.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { analyse } from '../../datastore/query-language/analysis.ts';
import { type Case, caseDocument } from '../../documents/kinds/case.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import {
  type CaseItem,
  gatheredFrom,
  isRecordItem,
  itemsOf,
  logEntry,
  mergeGathered,
  type RecordItem,
  recordKey,
} from './case-items.ts';
import type { CaseRecords } from './case-records.ts';

/** Subscribers must leave out what is above the classification of their users. */
export const CASES_CHANNEL = 'alerts.events.cases';

/** Payload of the event `cases`. */
export interface CaseChanged {
  readonly case: Case;
}

export interface CaseStoreDependencies {
  cases: Collection<Case>;
  records: CaseRecords;
  counter: { inc(): void };
  /** Reports a case that was made or changed, but not hidden or deleted (contract/alert.md section 8). */
  changed: (id: string, event: CaseChanged) => Promise<void>;
  classification: ClassificationEngine;
}

/** Members that change; undefined: the case has it no more. */
export type CaseChange = { readonly [Key in keyof Case]?: Case[Key] | undefined };
/** Plans a change of the present case. May throw; it is called again when another change came first. */
type Plan<T> = (present: Case) => T | Promise<T>;

export const ALL_CASES = unrestricted('a case is kept in step with all that it refers to, for any user who changes it');

/** Stores cases in step with their records. Changes give undefined for what the actor may not see. */
export class CaseStore {
  /** Cases as they are stored. */
  readonly collection: Collection<Case>;
  readonly records: CaseRecords;
  readonly #dependencies: CaseStoreDependencies;

  constructor(dependencies: CaseStoreDependencies) {
    this.collection = dependencies.cases;
    this.records = dependencies.records;
    this.#dependencies = dependencies;
  }

  /** Undefined when there is none that the actor may see. */
  async get(actor: Actor, id: string): Promise<Case | undefined> {
    return (await this.getVersioned(actor, id))?.document;
  }

  /** Returns a case with its version, as `get`. */
  async getVersioned(actor: Actor, id: string): Promise<Versioned<Case> | undefined> {
    const found = await this.collection.getVersioned(id, actor.readAccess);
    return found && shown(found);
  }

  /** Returns those of the cases that exist, regardless of who may see them. */
  async getAll(ids: readonly string[]): Promise<readonly Case[]> {
    const found = await this.collection.getMany(ids, ALL_CASES);
    return found.flatMap((document) => (document ? [toOutput(caseDocument, document)] : []));
  }

  /** Reads a case; unknown members are left out. @throws InvalidInput `invalid_document` */
  read(input: Readonly<Record<string, unknown>>): Case {
    const { classification } = this.#dependencies;
    return readDocument(caseDocument, input, { unknown: 'drop', classification, now: new Date() }).document;
  }

  /** Makes a case, which its records list. @throws InvalidInput `item_above_case`, `invalid_document` */
  async create(
    actor: Actor,
    input: Readonly<Record<string, unknown>>,
    items: readonly CaseItem[],
    visible: Visible,
  ): Promise<Case> {
    const evidence = items.filter(isRecordItem);
    const made = this.read({ ...input, items, log: [logEntry(actor, 'Case created')] });
    const id = made.case_id;
    this.rejectItemsAbove(made.classification, items);
    const document = evidence.length === 0 ? made : { ...made, ...(await this.gathered(made)) };
    await this.collection.save(id, document, { ifVersion: ABSENT, visible });
    await this.#refer(actor, id, evidence, { visible });
    this.#dependencies.counter.inc();
    await this.#dependencies.changed(id, { case: toOutput(caseDocument, document) });
    return document;
  }

  /** Changes a case, or that version of it alone, and reports it. @throws Conflict `version_conflict` */
  async change(
    actor: Pick<Actor, 'readAccess'>,
    id: string,
    visible: Visible,
    plan: Plan<CaseChange>,
    ifVersion?: string,
  ) {
    return this.#reported(await this.changeQuietly(actor.readAccess, id, visible, plan, ifVersion));
  }

  /**
   * Replaces items as `change`, with back-references and what is gathered; throws `item_above_case`.
   * @param options `byRule`, default false: without entries in the logs of the records, and what was gathered before is
   *  only added to, so that a case that grows with every arriving record does not read all of its records each time;
   *  `ifVersion` as in `change`
   */
  async changeItems(
    actor: Actor,
    id: string,
    visible: Visible,
    plan: Plan<readonly CaseItem[]>,
    { byRule = false, ifVersion }: { readonly byRule?: boolean; readonly ifVersion?: string | undefined } = {},
  ) {
    let added: readonly RecordItem[] = [];
    let removed: readonly RecordItem[] = [];
    const planned = async (present: Case) => {
      const items = [...(await plan(present))];
      const before = itemsOf(present).filter(isRecordItem);
      const after = items.filter(isRecordItem);
      added = without(after, before);
      removed = without(before, after);
      this.rejectItemsAbove(present.classification, added);
      if (added.length === 0 && removed.length === 0) return { items };
      if (!byRule || removed.length > 0) return { items, ...(await this.gathered({ ...present, items })) };
      return { items, ...mergeGathered(present, await this.gathered({ ...present, items: [...added] })) };
    };
    const changed = await this.change(actor, id, visible, planned, ifVersion);
    if (changed) {
      const options = { visible, logged: !byRule };
      await this.#refer(actor, id, added, options);
      await this.records.refer(actor, id, 'remove', removed, options);
    }
    return changed;
  }

  /** Gathers targets, threats and indicators from the records whose classification fits the case. */
  async gathered({ classification, items = [] }: Pick<Case, 'classification' | 'items'>) {
    const engine = this.#dependencies.classification;
    const records = await this.records.of(items.filter(isRecordItem));
    return gatheredFrom(records.filter((record) => engine.isAccessible(classification, record.classification, true)));
  }

  /** Applies a classification to all cases that hold it: `related` are known, others are searched. */
  async reclassify(
    target: { readonly type: CaseItem['type']; readonly id: string; readonly classification: string },
    related: readonly string[],
    visible: Visible,
  ): Promise<void> {
    const { type, id, classification } = target;
    const isOutdated = (item: CaseItem) =>
      item.type === type && item.value === id && item.classification !== classification;
    const holders = new Set(related);
    const selection = { query: mentions(id), fields: ['case_id'] };
    for await (const found of this.collection.stream(selection, ALL_CASES)) holders.add(found.id);
    for (const holder of holders) {
      const stored = await this.collection.get(holder, ALL_CASES);
      if (stored === undefined || !itemsOf(stored).some(isOutdated)) continue;
      const changed = await this.changeQuietly(ALL_CASES, holder, visible, async (present) => {
        const items = itemsOf(present).map((item) => (isOutdated(item) ? { ...item, classification } : item));
        return { items, ...(type === 'case' ? {} : await this.gathered({ ...present, items })) };
      });
      await this.#reported(changed);
    }
  }

  /** @throws InvalidInput `item_above_case`, when an item is classified above its case */
  rejectItemsAbove(classification: string, items: readonly CaseItem[]): void {
    const engine = this.#dependencies.classification;
    const above = items.find((item) => !engine.isAccessible(classification, item.classification, true));
    if (above === undefined) return;
    const message = `Cannot add ${above.type} at classification ${above.classification} to case at classification ${classification}`;
    throw new InvalidInput('item_above_case', message);
  }

  /** Writes the back-references of records, and follows a classification that changed meanwhile. */
  async #refer(
    actor: Actor,
    id: string,
    items: readonly RecordItem[],
    options: { readonly visible: Visible; readonly logged?: boolean },
  ): Promise<void> {
    await this.records.refer(actor, id, 'append_missing', items, options);
    for (const { howler, classification } of await this.records.of(items)) {
      const item = items.find(({ value }) => value === howler.id);
      if (item === undefined || item.classification === classification) continue;
      await this.reclassify({ type: item.type, id: howler.id, classification }, [id], options.visible);
    }
  }

  /** Changes members of a case without reporting it. */
  async changeQuietly(access: ReadAccess, id: string, visible: Visible, plan: Plan<CaseChange>, ifVersion?: string) {
    const change = async (stored: Case) => applied(stored, await plan(toOutput(caseDocument, stored)));
    const changed = await changeDocument(this.collection, id, change, { access, visible, ifVersion });
    return changed && shown(changed);
  }

  async #reported(changed: Versioned<Case> | undefined): Promise<Versioned<Case> | undefined> {
    if (changed) await this.#dependencies.changed(changed.document.case_id, { case: changed.document });
    return changed;
  }
}

function shown({ document, version }: Versioned<Case>): Versioned<Case> {
  return { document: toOutput(caseDocument, document), version };
}

function applied(stored: Case, change: CaseChange): Case {
  const changed: Record<string, unknown> = { ...stored };
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) delete changed[key];
    else changed[key] = value;
  }
  return changed as Case;
}

/** Selects cases with an item for the identifier, and a few more: values are indexed by word. */
export function mentions(id: string): QueryNode {
  return { kind: 'phrase', field: 'items.value', terms: analyse('text', id).map(({ text }) => text), slop: 0 };
}

/** Items that stand for records which none of `others` stands for. */
function without(items: readonly RecordItem[], others: readonly RecordItem[]): readonly RecordItem[] {
  const known = new Set(others.map(recordKey));
  return items.filter((item) => !known.has(recordKey(item)));
}
