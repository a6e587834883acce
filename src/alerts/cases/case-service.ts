import type { ClassificationEngine } from '../../classification/classification.ts';
import { throwBulkFailure, type Versioned, type Visible } from '../../datastore/port/collection.ts';
import { anyOf } from '../../datastore/port/query-tree.ts';
import type { Case } from '../../documents/kinds/case.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import { mayClassify } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import { checkCaseChange, readCaseChange, withAuthors } from './case-changes.ts';
import type { CaseItemPlacement } from './case-item-placement.ts';
import { type CaseItem, isRecordItem, itemsOf } from './case-items.ts';
import type { CaseRecords } from './case-records.ts';
import { ALL_CASES, type CaseChange, type CaseStore, mentions } from './case-store.ts';

export interface CaseServiceDependencies {
  cases: CaseStore;
  records: CaseRecords;
  placement: CaseItemPlacement;
  classification: ClassificationEngine;
}

type Input = Readonly<Record<string, unknown>>;

/** Manages cases. Every method acts as `actor`; cases above their classification do not exist. */
export class CaseService {
  readonly #dependencies: CaseServiceDependencies;

  constructor(dependencies: CaseServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates a case, with the items of the member `items`; folders precede what lies in them.
   * Either everything is stored or nothing.
   * @throws InvalidInput `invalid_document`, `invalid_body`; Forbidden `classification_too_high`; and as `CaseItemPlacement.place`
   */
  async create(actor: Actor, input: Input, visible: Visible): Promise<Case> {
    const { cases, placement, classification } = this.#dependencies;
    const { items: inputs = [], case_id: _ignored, ...rest } = input;
    if (!Array.isArray(inputs)) throw new InvalidInput('invalid_body', "'items' must be a list.", { at: 'items' });
    const given = cases.read(rest);
    const draft = { ...given, rules: withAuthors(given.rules, actor.username, []) };
    if (!mayClassify(actor, classification, draft.classification)) {
      throw new Forbidden(
        'classification_too_high',
        `User cannot create case at classification ${draft.classification}`,
        { at: 'classification' },
      );
    }
    const items: CaseItem[] = [];
    for (const one of inputs) items.push(await placement.place(actor, { ...draft, items }, one));
    return cases.create(actor, draft, items, visible);
  }

  /** @throws NotFound `case_missing` */
  async get(actor: Actor, id: string): Promise<Versioned<Case>> {
    const found = await this.#dependencies.cases.getVersioned(actor, id);
    if (!found) throw new NotFound('case_missing', 'Case does not exist');
    return found;
  }

  /**
   * Changes members of a case, each with an entry in its log; lists are replaced.
   * @throws NotFound `case_missing`; InvalidInput `case_items_elsewhere`, `case_member_fixed`, `unknown_field`, `invalid_document`;
   * Forbidden `classification_too_high`, `item_above_case`
   */
  async update(actor: Actor, id: string, change: Input, visible: Visible): Promise<Case> {
    const { cases, classification } = this.#dependencies;
    const changed = await cases.change(
      actor,
      id,
      async (present) => {
        checkCaseChange(change);
        const now = cases.now();
        const { members, log } = readCaseChange(present, change, { classification, username: actor.username, now });
        const { classification: wanted } = members;
        if (wanted !== undefined) this.#rejectClassification(actor, present, wanted);
        const isRegathered = wanted !== undefined && itemsOf(present).some(isRecordItem);
        const gathered = isRegathered ? await cases.gathered({ ...present, classification: wanted }) : {};
        return { ...gathered, ...members, updated: now, log: [...(present.log ?? []), ...log] };
      },
      visible,
    );
    if (!changed) throw new NotFound('case_missing', `Case ${id} does not exist`);
    const { document } = changed;
    if ('classification' in change) {
      await cases.reclassify({ type: 'case', id, classification: document.classification }, [], visible);
    }
    return document;
  }

  /** Hides cases that the actor may see, and their items in others, unreported; returns how many. */
  async hide(actor: Actor, ids: readonly string[], visible: Visible): Promise<number> {
    const { cases } = this.#dependencies;
    const found = await cases.collection.getMany([...new Set(ids)], actor.readAccess);
    const hidden = found.flatMap((document) => (document ? [document.case_id] : []));
    const isConcerned = (item: CaseItem) => item.visible && refersTo(item, hidden);
    await this.#changeReferring(
      hidden,
      isConcerned,
      (present) => {
        const names = itemsOf(present).flatMap((item) => (isConcerned(item) ? [item.value] : []));
        return {
          items: itemsOf(present).map((item) => (isConcerned(item) ? { ...item, visible: false } : item)),
          log: [...(present.log ?? []), cases.entry(actor, `Referenced case(s) hidden: ${names.join(', ')}`)],
        };
      },
      visible,
    );
    for (const id of hidden) {
      await cases.changeQuietly(
        actor.readAccess,
        id,
        ({ log }) => ({ visible: false, log: [...(log ?? []), cases.entry(actor, 'Case hidden')] }),
        visible,
      );
    }
    return hidden.length;
  }

  /** Deletes cases that the actor may find, and references to them, unreported; returns how many. */
  async delete(actor: Actor, ids: readonly string[], visible: Visible): Promise<number> {
    const { cases, records } = this.#dependencies;
    const { collection } = cases;
    const found = await collection.getMany([...new Set(ids)], actor.searchAccess);
    const present = found.flatMap((document) => (document ? [document.case_id] : []));
    if (present.length === 0) return 0;
    const isConcerned = (item: CaseItem) => refersTo(item, present);
    await this.#changeReferring(
      present,
      isConcerned,
      (referring) => ({ items: itemsOf(referring).filter((item) => !isConcerned(item)) }),
      visible,
    );
    const results = await collection.bulk(
      present.map((id) => ({ kind: 'delete', id })),
      { visible },
    );
    throwBulkFailure(results, ['document_missing']);
    await records.forget(present, visible);
    return present.length;
  }

  /** Changes every other case with an item for one of the cases `ids`, regardless of who may see it. */
  async #changeReferring(
    ids: readonly string[],
    isConcerned: (item: CaseItem) => boolean,
    change: (present: Case) => CaseChange,
    visible: Visible,
  ): Promise<void> {
    if (ids.length === 0) return;
    const { cases } = this.#dependencies;
    const query = anyOf(...ids.map(mentions));
    for await (const { id, document } of cases.collection.stream({ query, fields: ['items'] }, ALL_CASES)) {
      if (ids.includes(id) || !itemsOf(document).some(isConcerned)) continue;
      await cases.changeQuietly(ALL_CASES, id, change, visible);
    }
  }

  #rejectClassification(actor: Actor, present: Case, wanted: string): void {
    const engine = this.#dependencies.classification;
    if (!mayClassify(actor, engine, wanted)) {
      const message = `Cannot set case to invalid classification for user ${actor.username}`;
      throw new Forbidden('classification_too_high', message, { at: 'classification' });
    }
    const markings = itemsOf(present).flatMap((item) => item.classification ?? []);
    if (markings.every((marking) => engine.isAccessible(wanted, marking, true))) return;
    const highest = markings.reduce((left, right) => engine.max(left, right));
    throw new Forbidden(
      'item_above_case',
      `Cannot lower case classification to ${wanted}. Case items have a maximum classification of ${highest}.`,
      { at: 'classification' },
    );
  }
}

function refersTo(item: CaseItem, caseIds: readonly string[]): boolean {
  return item.type === 'case' && caseIds.includes(item.value);
}
