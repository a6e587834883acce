import type { ClassificationEngine } from '../../classification/classification.ts';
import { type Case, caseItem } from '../../documents/kinds/case.ts';
import { readObject } from '../../documents/schema/read-document.ts';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import { mayClassify } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import { type CaseItem, isRecordItem, itemsOf, RECORD_DOCUMENTS } from './case-items.ts';
import type { CaseRecords } from './case-records.ts';
import type { CaseStore } from './case-store.ts';
import { isNameTaken, rejectTakenId, rejectUnfitParent } from './case-tree.ts';

export interface CaseItemPlacementDependencies {
  cases: Pick<CaseStore, 'get'>;
  records: Pick<CaseRecords, 'get'>;
  classification: ClassificationEngine;
}

/** Makes what was sent into an item that may lie in a case. */
export class CaseItemPlacement {
  readonly #dependencies: CaseItemPlacementDependencies;

  constructor(dependencies: CaseItemPlacementDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the item as it will lie in the case, without a change of the case.
   * The item of a record or case has its classification, and a name made unique with its identifier.
   * @param actor who may only place what they may see
   * @throws InvalidInput `invalid_document`, `case_parent_missing`, `case_parent_no_folder`, `case_item_present`; NotFound
   * `case_item_target_missing`; Forbidden `classification_too_high`, `item_above_case`; Conflict `case_item_id_taken`,
   * `case_item_name_taken`
   */
  async place(actor: Actor, present: Case, input: unknown): Promise<CaseItem> {
    const { classification } = this.#dependencies;
    const item = readObject(caseItem, input, { unknown: 'drop', classification, path: 'caseitem' });
    this.#rejectClassification(actor, present, item);
    const items = itemsOf(present);
    rejectTakenId(items, item.id);
    if (item.parent) rejectUnfitParent(items, item.parent);
    if (isRecordItem(item) && items.some(({ type, value }) => type === item.type && value === item.value)) {
      throw new InvalidInput('case_item_present', `Item ${item.value} already exists in case ${present.case_id}`);
    }
    const named = withFreeName(items, item);
    return { ...named, ...(await this.#classificationOfTarget(actor, present, item)) };
  }

  #rejectClassification(actor: Actor, present: Case, item: CaseItem): void {
    const engine = this.#dependencies.classification;
    if (!mayClassify(actor, engine, item.classification)) {
      const message = `User cannot add item at classification ${item.classification}.`;
      throw new Forbidden('classification_too_high', message, { at: 'classification' });
    }
    if (!engine.isAccessible(present.classification, item.classification, true)) {
      throw new Forbidden(
        'item_above_case',
        `User cannot add item at classification ${item.classification} to case at classification ${present.classification}`,
        { at: 'classification' },
      );
    }
  }

  /** Returns the classification of the record or case behind the item, if there is one. */
  async #classificationOfTarget(
    actor: Actor,
    present: Case,
    item: CaseItem,
  ): Promise<Pick<CaseItem, 'classification'>> {
    const target = await this.#targetOf(actor, item);
    if (target === undefined) return {};
    const { classification } = target;
    if (!this.#dependencies.classification.isAccessible(present.classification, classification, true)) {
      throw new Forbidden(
        'item_above_case',
        `Cannot add ${item.type} at classification ${classification} to case at classification ${present.classification}`,
      );
    }
    return { classification };
  }

  async #targetOf(actor: Actor, item: CaseItem): Promise<{ readonly classification: string } | undefined> {
    if (isRecordItem(item)) {
      const record = await this.#dependencies.records.get(actor, item.type, item.value);
      if (record) return record;
      throw targetMissing(`${RECORD_DOCUMENTS[item.type].title} ${item.value}`);
    }
    if (item.type !== 'case') return undefined;
    const referenced = await this.#dependencies.cases.get(actor, item.value);
    if (referenced) return referenced;
    throw targetMissing(`Referenced case ${item.name ?? item.value}`);
  }
}

function targetMissing(what: string): NotFound {
  return new NotFound('case_item_target_missing', `${what} not found, cannot be added to case`);
}

function withFreeName(items: readonly CaseItem[], item: CaseItem): CaseItem {
  const { type, value, parent } = item;
  const isTaken = (name: string) => isNameTaken(items, name, parent ?? null);
  let name = item.name ?? value;
  if (isTaken(name) && !isRecordItem(item) && type !== 'case') {
    throw new Conflict(
      'case_item_name_taken',
      `Something is called '${name}' in this folder of the case already. Choose another name or folder.`,
      { at: 'name' },
    );
  }
  while (isTaken(name)) name = `${name} (${value})`;
  return { ...item, name };
}
