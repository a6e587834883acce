import type { ClassificationEngine } from '../../classification/classification.ts';
import { type Case, caseItem } from '../../documents/kinds/case.ts';
import { readObject } from '../../documents/schema/read-document.ts';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import { mayClassify } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import { type CaseItem, isRecordItem, RECORD_DOCUMENTS } from './case-items.ts';
import type { CaseStore } from './case-store.ts';
import { rejectUnfitParent } from './case-tree.ts';
import type { PlacedItems } from './placed-items.ts';

export interface CaseContext {
  cases: CaseStore;
  classification: ClassificationEngine;
}

/**
 * Makes what was sent into an item as it will lie in the case, without a change of the case.
 * The item of a record or case has its classification, and a name made unique with its identifier.
 * @param actor who may only place what they may see
 * @throws InvalidInput `invalid_document`, `case_parent_missing`, `case_parent_no_folder`, `case_item_present`; NotFound
 *   `case_item_target_missing`; Forbidden `classification_too_high`, `item_above_case`; Conflict `case_item_id_taken`,
 *   `case_item_name_taken`
 */
export async function placeItem(
  { cases, classification: engine }: CaseContext,
  actor: Actor,
  present: Pick<Case, 'case_id' | 'classification'>,
  items: PlacedItems,
  input: unknown,
): Promise<CaseItem> {
  const item = readObject(caseItem, input, { unknown: 'drop', classification: engine, path: 'caseitem' });
  const fitsCase = (marking: CaseItem['classification']) => engine.isAccessible(present.classification, marking, true);
  if (!mayClassify(actor, engine, item.classification)) {
    const message = `User cannot add item at classification ${item.classification}.`;
    throw new Forbidden('classification_too_high', message, { at: 'classification' });
  }
  if (!fitsCase(item.classification)) {
    const message = `User cannot add item at classification ${item.classification} to case at classification ${present.classification}`;
    throw new Forbidden('item_above_case', message, { at: 'classification' });
  }
  if (items.get(item.id) !== undefined) {
    throw new Conflict('case_item_id_taken', `The case has an item with the identifier '${item.id}' already.`);
  }
  if (item.parent) rejectUnfitParent(items.get(item.parent), item.parent);
  if (isRecordItem(item) && items.holds(item)) {
    throw new InvalidInput('case_item_present', `Item ${item.value} already exists in case ${present.case_id}`);
  }
  const named = withFreeName(items, item);
  const target = await targetOf(cases, actor, item);
  if (target === undefined) return named;
  const { classification } = target;
  if (fitsCase(classification)) return { ...named, classification };
  const message = `Cannot add ${item.type} at classification ${classification} to case at classification ${present.classification}`;
  throw new Forbidden('item_above_case', message);
}

/** Returns the record or case behind an item, if it stands for one. */
async function targetOf(
  cases: CaseStore,
  actor: Actor,
  item: CaseItem,
): Promise<{ readonly classification: string } | undefined> {
  if (isRecordItem(item)) {
    const record = await cases.records.get(actor, item.type, item.value);
    return record ?? targetMissing(`${RECORD_DOCUMENTS[item.type].title} ${item.value}`);
  }
  if (item.type !== 'case') return undefined;
  return (await cases.get(actor, item.value)) ?? targetMissing(`Referenced case ${item.name ?? item.value}`);
}

function targetMissing(what: string): never {
  throw new NotFound('case_item_target_missing', `${what} not found, cannot be added to case`);
}

function withFreeName(items: PlacedItems, item: CaseItem): CaseItem {
  const { type, value, parent } = item;
  const isTaken = (name: string) => items.named(name, parent ?? null).length > 0;
  let name = item.name ?? value;
  if (isTaken(name) && !isRecordItem(item) && type !== 'case') {
    const message = `Something is called '${name}' in this folder of the case already. Choose another name or folder.`;
    throw new Conflict('case_item_name_taken', message, { at: 'name' });
  }
  while (isTaken(name)) name = `${name} (${value})`;
  return { ...item, name };
}
