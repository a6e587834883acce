import { MAX_LIST_LENGTH, type Versioned, type Visible } from '../../datastore/port/collection.ts';
import { type Case, caseItem } from '../../documents/kinds/case.ts';
import { readObject } from '../../documents/schema/read-document.ts';
import { Conflict, InvalidInput, isTriadError, NotFound, TooLarge, type TriadError } from '../../errors/errors.ts';
import { mayClassify } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import type { DestinationTemplate } from './case-destination.ts';
import { type CaseContext, placeItem } from './case-item-placement.ts';
import { type CaseItem, type CaseRecord, folderItem, itemsOf, type RecordType, recordKey } from './case-items.ts';
import { folderAt, type ItemMove, rejectMissing, withMovedItem, withoutItems } from './case-tree.ts';
import { PlacedItems } from './placed-items.ts';

export interface RecordToFile {
  readonly type: RecordType;
  readonly record: CaseRecord;
  readonly destination: DestinationTemplate;
}

/** The result of filing, as identifiers of records. */
export interface FilingReport {
  readonly filed: readonly string[];
  /** Records that were in the case before, in any folder. */
  readonly present: readonly string[];
  readonly refused: readonly { readonly id: string; readonly error: TriadError }[];
}

/** Changes items of cases: records, other cases, notes, references and folders. Returns the whole case. */
export class CaseItemService {
  readonly #context: CaseContext;

  constructor(context: CaseContext) {
    this.#context = context;
  }

  /** Adds an item at `path`, else `parent`, else the root; throws `case_missing`, and as `placeItem`. */
  async append(
    actor: Actor,
    id: string,
    { path, ...rest }: Readonly<Record<string, unknown>>,
    visible: Visible,
  ): Promise<Versioned<Case>> {
    if (path !== undefined && path !== null && typeof path !== 'string') {
      throw new InvalidInput('invalid_body', "'path' must be a string, such as evidence/mail.", { at: 'path' });
    }
    const changed = await this.#context.cases.changeItems(actor, id, visible, async (present) => {
      const items = itemsOf(present);
      const given = path ? { ...rest, parent: folderAt(items, path) } : rest;
      return [...items, await placeItem(this.#context, actor, present, new PlacedItems(items), given)];
    });
    return changed ?? missing(`Case ${id} does not exist`);
  }

  /** Removes items, with `force` full folders too; throws as `move`, and `case_folder_not_empty`. */
  async remove(
    actor: Actor,
    id: string,
    itemIds: readonly string[],
    { force, visible }: { readonly force: boolean; readonly visible: Visible },
  ): Promise<Versioned<Case>> {
    const changed = await this.#context.cases.changeItems(actor, id, visible, (present) => {
      rejectMissing(this.#seenBy(actor, present), itemIds);
      return withoutItems(itemsOf(present), itemIds, { force });
    });
    return changed ?? missing(`Case ${id} not found`);
  }

  /**
   * Renames, moves or rewrites an item.
   * @param ifVersion the version of the case that is changed alone. Default: the present one
   * @throws NotFound `case_missing`, `case_item_missing`; Conflict `version_conflict`; as `withMovedItem`
   */
  async move(
    actor: Actor,
    id: string,
    itemId: string,
    move: ItemMove,
    visible: Visible,
    ifVersion?: string,
  ): Promise<Versioned<Case>> {
    const plan = (present: Case) => {
      const item = this.#seenBy(actor, present).find((one) => one.id === itemId);
      if (item) return withMovedItem(itemsOf(present), item, move);
      throw new NotFound('case_item_missing', `Item ${itemId} does not exist in case ${id}`);
    };
    const changed = await this.#context.cases.changeItems(actor, id, visible, plan, { ifVersion });
    return changed ?? missing(`Case ${id} does not exist`);
  }

  /**
   * Files records in one change of the case, with folders. A case with all of them is not changed.
   * A record that cannot be filed is reported and does not keep the others out. Undefined: no such case for the actor.
   * @param byRule as in `CaseStore.changeItems`
   * @throws TooLarge `list_too_long`, when the case is full
   */
  async file(
    actor: Actor,
    caseId: string,
    records: readonly RecordToFile[],
    visible: Visible,
    byRule = false,
  ): Promise<FilingReport | undefined> {
    const { cases } = this.#context;
    const before = await cases.get(actor, caseId);
    if (before === undefined) return undefined;
    const ids = records.map(({ record }) => record.howler.id);
    const known = new Set(itemsOf(before).map(recordKey));
    const present = records.filter((record) => known.has(recordKey(keyOf(record))));
    // A program that was killed after the change of the case has not written these.
    const references = present.map(({ type, record }) => ({ type, value: record.howler.id }));
    await cases.records.refer(actor, caseId, 'append_missing', references, { visible, logged: !byRule });
    if (present.length === records.length) return { filed: [], present: ids, refused: [] };
    rejectFull(before);
    let report: FilingReport | undefined;
    const plan = async (now: Case) => {
      const planned = await this.#plan(actor, now, records);
      report = planned.report;
      if (planned.report.filed.length === 0) throw new NothingToFile();
      return planned.items;
    };
    try {
      await cases.changeItems(actor, caseId, visible, plan, { byRule });
    } catch (error) {
      if (!(error instanceof NothingToFile)) throw error;
    }
    return report;
  }

  async #plan(
    actor: Actor,
    before: Case,
    records: readonly RecordToFile[],
  ): Promise<{ readonly items: readonly CaseItem[]; readonly report: FilingReport }> {
    const items = new PlacedItems(itemsOf(before));
    const filed: string[] = [];
    const present: string[] = [];
    const refused: { id: string; error: TriadError }[] = [];
    for (const entry of records) {
      const { type, record, destination } = entry;
      const { id } = record.howler;
      if (items.holds(keyOf(entry))) {
        present.push(id);
        continue;
      }
      const length = items.all.length;
      try {
        const { folders, name } = destination.of(record);
        const parent = addFolders(items, folders, (folder) => this.#newFolder(folder));
        items.add(await placeItem(this.#context, actor, before, items, { type, value: id, name, parent }));
        filed.push(id);
      } catch (error) {
        if (!isTriadError(error)) throw error;
        items.removeLast(items.all.length - length);
        refused.push({ id, error });
      }
    }
    return { items: items.all, report: { filed, present, refused } };
  }

  /** Returns a folder with the members that one has which was sent. */
  #newFolder(name: string): CaseItem {
    const { classification } = this.#context;
    return readObject(caseItem, folderItem(name), { unknown: 'drop', classification, path: 'caseitem' });
  }

  #seenBy(actor: Actor, present: Case): readonly CaseItem[] {
    const { classification } = this.#context;
    return itemsOf(present).filter((item) => mayClassify(actor, classification, item.classification));
  }
}

/** Ends a change that would leave the case as it is. */
class NothingToFile extends Error {}

/** Rejects further items at once, before every record of the case is looked at. */
function rejectFull({ case_id: id, items }: Case): void {
  if ((items ?? []).length < MAX_LIST_LENGTH) return;
  throw new TooLarge('list_too_long', `The case ${id} has ${MAX_LIST_LENGTH} items, the limit.`, { at: 'items' });
}

function missing(message: string): never {
  throw new NotFound('case_missing', message);
}

function keyOf({ type, record }: RecordToFile) {
  return { type, value: record.howler.id };
}

/** Adds the missing folders of a path and returns the last one; throws `case_item_name_taken`. */
function addFolders(items: PlacedItems, path: readonly string[], newFolder: (name: string) => CaseItem): string | null {
  let parent: string | null = null;
  for (const name of path) {
    const namesakes = items.named(name, parent);
    let folder = namesakes.find(({ type }) => type === 'folder');
    if (folder === undefined) {
      if (namesakes.length > 0) {
        const message = `Something that is not a folder is called '${name}' in the case already.`;
        throw new Conflict('case_item_name_taken', message, { at: 'destination' });
      }
      folder = { ...newFolder(name), ...(parent === null ? {} : { parent }) };
      items.add(folder);
    }
    parent = folder.id;
  }
  return parent;
}
