import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Versioned, Visible } from '../../datastore/port/collection.ts';
import type { Case } from '../../documents/kinds/case.ts';
import { Conflict, InvalidInput, isTriadError, NotFound, type TriadError } from '../../errors/errors.ts';
import { mayClassify } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import type { CaseDestination, DestinationTemplate } from './case-destination.ts';
import type { CaseItemPlacement } from './case-item-placement.ts';
import { type CaseItem, type CaseRecord, folderItem, itemsOf, type RecordType } from './case-items.ts';
import type { CaseStore } from './case-store.ts';
import {
  folderAt,
  folderIn,
  type ItemMove,
  isNameTaken,
  rejectMissing,
  withMovedItem,
  withoutItems,
} from './case-tree.ts';

export interface CaseItemServiceDependencies {
  cases: CaseStore;
  placement: CaseItemPlacement;
  classification: ClassificationEngine;
}

export interface RecordToFile {
  readonly type: RecordType;
  readonly record: CaseRecord;
}

/** The result of filing, as identifiers of records. */
export interface FilingReport {
  readonly filed: readonly string[];
  /** Records that were in the case before, in any folder. */
  readonly present: readonly string[];
  readonly refused: readonly { readonly id: string; readonly error: TriadError }[];
}

/** Changes items of cases (records, cases, notes, references, folders) as `actor`; returns whole cases. */
export class CaseItemService {
  readonly #dependencies: CaseItemServiceDependencies;

  constructor(dependencies: CaseItemServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Adds an item at `path`, else `parent`, else the root; throws `case_missing`, and as `place`. */
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

  /** Removes items, with `force` full folders too; throws as `move`, and `case_folder_not_empty`. */
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

  /** Renames or moves an item; throws `case_missing`, `case_item_missing`, and as `withMovedItem`. */
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

  /**
   * Files records in one change of the case, and creates folders as needed.
   * A record that cannot be filed is reported and does not keep the others out. A case with all of them is not changed.
   * @returns undefined if there is no case that the actor may see
   */
  async file(
    actor: Actor,
    caseId: string,
    records: readonly RecordToFile[],
    destination: DestinationTemplate,
    visible: Visible,
  ): Promise<FilingReport | undefined> {
    const { cases } = this.#dependencies;
    const before = await cases.get(actor, caseId);
    if (before === undefined) return undefined;
    const ids = records.map(({ record }) => record.howler.id);
    if (records.every((record) => isPresent(itemsOf(before), record))) return { filed: [], present: ids, refused: [] };
    let report: FilingReport | undefined;
    await cases.changeItems(
      actor,
      caseId,
      async (present) => {
        const plan = await this.#plan(actor, present, records, destination);
        report = plan.report;
        return plan.items;
      },
      visible,
    );
    return report;
  }

  async #plan(
    actor: Actor,
    before: Case,
    records: readonly RecordToFile[],
    destination: DestinationTemplate,
  ): Promise<{ readonly items: readonly CaseItem[]; readonly report: FilingReport }> {
    let items = itemsOf(before);
    const filed: string[] = [];
    const present: string[] = [];
    const refused: { id: string; error: TriadError }[] = [];
    for (const entry of records) {
      const { id } = entry.record.howler;
      if (isPresent(items, entry)) {
        present.push(id);
        continue;
      }
      try {
        items = await this.#withRecord(actor, before, items, entry, destination.of(entry.record));
        filed.push(id);
      } catch (error) {
        if (!isTriadError(error)) throw error;
        refused.push({ id, error });
      }
    }
    return { items, report: { filed, present, refused } };
  }

  async #withRecord(
    actor: Actor,
    before: Case,
    items: readonly CaseItem[],
    { type, record }: RecordToFile,
    { folders, name }: CaseDestination,
  ): Promise<readonly CaseItem[]> {
    const { items: all, parent } = withFolders(items, folders);
    const given = { type, value: record.howler.id, name, parent };
    return [...all, await this.#dependencies.placement.place(actor, { ...before, items: [...all] }, given)];
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

function isPresent(items: readonly CaseItem[], { type, record }: RecordToFile): boolean {
  return items.some((item) => item.type === type && item.value === record.howler.id);
}

/** Returns items with a path's folders, and the last of these or null; throws `case_item_name_taken`. */
function withFolders(
  items: readonly CaseItem[],
  path: readonly string[],
): { readonly items: readonly CaseItem[]; readonly parent: string | null } {
  let parent: string | null = null;
  const made: CaseItem[] = [];
  for (const name of path) {
    const present: CaseItem | undefined = folderIn(items, name, parent);
    if (present === undefined && isNameTaken(items, name, parent)) {
      const message = `Something that is not a folder is called '${name}' in the case already.`;
      throw new Conflict('case_item_name_taken', message, { at: 'destination' });
    }
    const folder: CaseItem = present ?? { ...folderItem(name), ...(parent === null ? {} : { parent }) };
    if (present === undefined) made.push(folder);
    parent = folder.id;
  }
  return { items: [...items, ...made], parent };
}
