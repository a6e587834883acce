import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Versioned, Visible } from '../../datastore/port/collection.ts';
import type { Case } from '../../documents/kinds/case.ts';
import { InvalidInput, NotFound } from '../../errors/errors.ts';
import { mayClassify } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import type { CaseItemPlacement } from './case-item-placement.ts';
import { type CaseItem, itemsOf } from './case-items.ts';
import type { CaseStore } from './case-store.ts';
import { folderAt, type ItemMove, rejectMissing, withMovedItem, withoutItems } from './case-tree.ts';

export interface CaseItemServiceDependencies {
  cases: CaseStore;
  placement: CaseItemPlacement;
  classification: ClassificationEngine;
}

/**
 * What lies in a case: records, other cases, notes, references and folders. Every method acts as `actor`, and gives the case as it is
 * then with all of its items.
 */
export class CaseItemService {
  readonly #dependencies: CaseItemServiceDependencies;

  constructor(dependencies: CaseItemServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Adds an item. The member `path` is the folder that it lies in, before `parent`; without such a folder it lies at the root.
   * @throws NotFound `case_missing`; and as `CaseItemPlacement.place`
   */
  async append(
    actor: Actor,
    id: string,
    input: Readonly<Record<string, unknown>>,
    visible: Visible,
  ): Promise<Versioned<Case>> {
    const { cases, placement } = this.#dependencies;
    const { path, ...rest } = input;
    if (path !== undefined && path !== null && typeof path !== 'string') {
      throw new InvalidInput('invalid_body', "'path' must be a string, such as evidence/mail.", { at: 'path' });
    }
    const changed = await cases.changeItems(
      actor,
      id,
      async (present) => {
        const items = itemsOf(present);
        const given = path ? { ...rest, parent: folderAt(items, path) } : rest;
        return [...items, await placement.place(actor, present, given)];
      },
      visible,
    );
    return changed ?? missing(`Case ${id} does not exist`);
  }

  /**
   * Removes items; with `force` also folders that hold something, and everything in them.
   * @throws NotFound `case_missing`, `case_item_missing`, also for those above the actor's classification; InvalidInput
   * `case_folder_not_empty`
   */
  async remove(
    actor: Actor,
    id: string,
    itemIds: readonly string[],
    options: { readonly force: boolean; readonly visible: Visible },
  ): Promise<Versioned<Case>> {
    const { force, visible } = options;
    const changed = await this.#dependencies.cases.changeItems(
      actor,
      id,
      (present) => {
        rejectMissing(this.#seenBy(actor, present), itemIds);
        return withoutItems(itemsOf(present), itemIds, { force });
      },
      visible,
    );
    return changed ?? missing(`Case ${id} not found`);
  }

  /**
   * Renames an item, moves it to another folder, or both.
   * @throws NotFound `case_missing`, `case_item_missing`, also for one above the actor's classification; InvalidInput as
   * `withMovedItem`
   */
  async move(actor: Actor, id: string, itemId: string, move: ItemMove, visible: Visible): Promise<Versioned<Case>> {
    const changed = await this.#dependencies.cases.changeItems(
      actor,
      id,
      (present) => {
        const item = this.#seenBy(actor, present).find((one) => one.id === itemId);
        if (item === undefined) {
          throw new NotFound('case_item_missing', `Item ${itemId} does not exist in case ${id}`);
        }
        return withMovedItem(itemsOf(present), item, move);
      },
      visible,
    );
    return changed ?? missing(`Case ${id} does not exist`);
  }

  #seenBy(actor: Actor, present: Case): readonly CaseItem[] {
    return itemsOf(present).filter((item) =>
      mayClassify(actor, this.#dependencies.classification, item.classification),
    );
  }
}

function missing(message: string): never {
  throw new NotFound('case_missing', message);
}
