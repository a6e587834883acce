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
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { CaseEvents } from './case-events.ts';
import { type CaseItem, type Gathered, gatheredFrom, isRecordItem, itemsOf, type RecordItem } from './case-items.ts';
import type { CaseRecords } from './case-records.ts';

export interface CaseStoreDependencies {
  cases: Collection<Case>;
  records: CaseRecords;
  events: CaseEvents;
  classification: ClassificationEngine;
  clock: () => Date;
}

export type CaseLogEntry = NonNullable<Case['log']>[number];
/** Members that change; undefined: the case has it no more. */
export type CaseChange = { readonly [Key in keyof Case]?: Case[Key] | undefined };

export const ALL_CASES = unrestricted('a case is kept in step with all that it refers to, for any user who changes it');

/** Stores whole cases, in step with `howler.related` of their records, and reports changes. */
export class CaseStore {
  /** Cases as they are stored. */
  readonly collection: Collection<Case>;
  readonly #dependencies: CaseStoreDependencies;

  constructor(dependencies: CaseStoreDependencies) {
    this.collection = dependencies.cases;
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

  /** Reads what was sent as a case; unknown members are left out. @throws InvalidInput `invalid_document` */
  read(input: Readonly<Record<string, unknown>>): Case {
    const { classification, clock } = this.#dependencies;
    return readDocument(caseDocument, input, { unknown: 'drop', classification, now: clock() }).document;
  }

  /** Makes a case with items and back-references; throws `item_above_case`, `invalid_document`. */
  async create(
    actor: Actor,
    input: Readonly<Record<string, unknown>>,
    items: readonly CaseItem[],
    visible: Visible,
  ): Promise<Case> {
    const { cases, events } = this.#dependencies;
    const evidence = items.filter(isRecordItem);
    const made = this.read({
      ...input,
      items,
      log: [this.entry(actor, 'Case created')],
    });
    this.rejectItemsAbove(made.classification, items);
    const document = evidence.length === 0 ? made : { ...made, ...(await this.gathered(made)) };
    await cases.save(document.case_id, document, { ifVersion: ABSENT, visible });
    await this.#refer(actor, document.case_id, evidence, visible);
    await events.created(document);
    return document;
  }

  /** Changes and reports a case that the actor may see; `change` may throw, and runs again on a conflict. */
  async change(
    actor: Actor,
    id: string,
    change: (present: Case) => CaseChange | Promise<CaseChange>,
    visible: Visible,
  ): Promise<Versioned<Case> | undefined> {
    const changed = await this.changeQuietly(actor.readAccess, id, change, visible);
    if (changed) await this.#dependencies.events.changed(changed.document);
    return changed;
  }

  /** Replaces items as `change`, with back-references and what is gathered; throws `item_above_case`. */
  async changeItems(
    actor: Actor,
    id: string,
    change: (present: Case) => readonly CaseItem[] | Promise<readonly CaseItem[]>,
    visible: Visible,
  ): Promise<Versioned<Case> | undefined> {
    const { records } = this.#dependencies;
    let added: readonly RecordItem[] = [];
    let removed: readonly RecordItem[] = [];
    const changed = await this.change(
      actor,
      id,
      async (present) => {
        const items = await change(present);
        const before = itemsOf(present).filter(isRecordItem);
        const after = items.filter(isRecordItem);
        added = without(after, before);
        removed = without(before, after);
        this.rejectItemsAbove(present.classification, added);
        if (added.length === 0 && removed.length === 0) return { items: [...items] };
        return { items: [...items], ...(await this.gathered({ ...present, items: [...items] })) };
      },
      visible,
    );
    if (changed) {
      await this.#refer(actor, id, added, visible);
      await records.unrefer(actor, id, removed, visible);
    }
    return changed;
  }

  /** Gathers targets, threats and indicators from the records whose classification fits the case. */
  async gathered({ classification, items = [] }: Pick<Case, 'classification' | 'items'>): Promise<Gathered> {
    const engine = this.#dependencies.classification;
    const records = await this.#dependencies.records.of(items.filter(isRecordItem));
    return gatheredFrom(records.filter((record) => engine.isAccessible(classification, record.classification, true)));
  }

  /** Applies a classification to all cases that hold it: `related` are known, others are searched. */
  async reclassify(
    target: { readonly type: CaseItem['type']; readonly id: string; readonly classification: string },
    related: readonly string[],
    visible: Visible,
  ): Promise<void> {
    const { cases, events } = this.#dependencies;
    const { type, id, classification } = target;
    const isOutdated = (item: CaseItem) =>
      item.type === type && item.value === id && item.classification !== classification;
    const holders = new Set(related);
    const selection = { query: mentions(id), fields: ['case_id'] };
    for await (const found of cases.stream(selection, ALL_CASES)) holders.add(found.id);
    for (const holder of holders) {
      const stored = await cases.get(holder, ALL_CASES);
      if (stored === undefined || !itemsOf(stored).some(isOutdated)) continue;
      const change = async (present: Case) => {
        const items = itemsOf(present).map((item) => (isOutdated(item) ? { ...item, classification } : item));
        return { items, ...(type === 'case' ? {} : await this.gathered({ ...present, items })) };
      };
      const changed = await this.changeQuietly(ALL_CASES, holder, change, visible);
      if (changed) await events.changed(changed.document);
    }
  }

  /** @throws InvalidInput `item_above_case`, when an item is classified above its case */
  rejectItemsAbove(classification: string, items: readonly CaseItem[]): void {
    const engine = this.#dependencies.classification;
    const above = items.find((item) => !engine.isAccessible(classification, item.classification, true));
    if (above === undefined) return;
    throw new InvalidInput(
      'item_above_case',
      `Cannot add ${above.type} at classification ${above.classification} to case at classification ${classification}`,
    );
  }

  /** An entry of a case's log, of now. */
  entry(actor: Actor, explanation: string): CaseLogEntry {
    return { timestamp: this.now(), user: actor.username, explanation };
  }

  /** The present time as documents keep it. */
  now(): string {
    return formatDate(this.#dependencies.clock());
  }

  /** Writes the back-references of records, and follows a classification that changed meanwhile. */
  async #refer(actor: Actor, id: string, items: readonly RecordItem[], visible: Visible): Promise<void> {
    const { records } = this.#dependencies;
    await records.refer(actor, id, items, visible);
    for (const { howler, classification } of await records.of(items)) {
      const item = items.find(({ value }) => value === howler.id);
      if (item === undefined || item.classification === classification) continue;
      await this.reclassify({ type: item.type, id: howler.id, classification }, [id], visible);
    }
  }

  /** Changes members of a case as `change`, without reporting it. */
  async changeQuietly(
    access: ReadAccess,
    id: string,
    change: (present: Case) => CaseChange | Promise<CaseChange>,
    visible: Visible,
  ): Promise<Versioned<Case> | undefined> {
    const changed = await changeDocument(
      this.collection,
      id,
      async (stored) => applied(stored, await change(toOutput(caseDocument, stored))),
      { access, visible },
    );
    return changed && shown(changed);
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

/** Selects cases with the identifier in an item, and a few more, as values are indexed by word. */
export function mentions(id: string): QueryNode {
  return { kind: 'phrase', field: 'items.value', terms: analyse('text', id).map(({ text }) => text), slop: 0 };
}

/** Items that stand for records which none of `others` stands for. */
function without(items: readonly RecordItem[], others: readonly RecordItem[]): readonly RecordItem[] {
  return items.filter((item) => !others.some(({ type, value }) => type === item.type && value === item.value));
}
