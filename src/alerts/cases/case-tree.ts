import { InvalidInput, NotFound } from '../../errors/errors.ts';
import type { CaseItem } from './case-items.ts';

/**
 * Functions over items in the folders of a case. They are pure: no argument is changed.
 * An item without a parent lies at the root.
 */

/** The folder of an item; null: the root. */
export type Place = string | null;

export function placeOf({ parent }: CaseItem): Place {
  return parent ?? null;
}

/** Returns the name that users see. */
export function nameOf({ name, value }: CaseItem): string {
  return name ?? value;
}

/** Returns whether another item than `exceptId` has this name at this place. */
export function isNameTaken(items: readonly CaseItem[], name: string, place: Place, exceptId?: string): boolean {
  return items.some((item) => item.id !== exceptId && placeOf(item) === place && nameOf(item) === name);
}

/** Returns the folder at a path such as `evidence/mail`; null: the root, also when there is none. */
export function folderAt(items: readonly CaseItem[], path: string): Place {
  let place: Place = null;
  for (const name of path.split('/').filter((part) => part !== '')) {
    const folder = folderIn(items, name, place);
    if (folder === undefined) return null;
    place = folder.id;
  }
  return place;
}

/** The folder of this name at a place. */
export function folderIn(items: readonly CaseItem[], name: string, place: Place): CaseItem | undefined {
  return items.find((item) => item.type === 'folder' && nameOf(item) === name && placeOf(item) === place);
}

/** @throws InvalidInput `case_parent_missing`, `case_parent_no_folder` */
export function rejectUnfitParent(parent: CaseItem | undefined, parentId: string): void {
  if (parent === undefined) {
    const message = `Parent item '${parentId}' does not exist in the case`;
    throw new InvalidInput('case_parent_missing', message, { at: 'parent' });
  }
  if (parent.type !== 'folder') {
    const message = `Parent item '${parentId}' is not a folder (type: ${parent.type})`;
    throw new InvalidInput('case_parent_no_folder', message, { at: 'parent' });
  }
}

/** Returns items without these and their contents. @throws `case_folder_not_empty`, unless `force` */
export function withoutItems(
  items: readonly CaseItem[],
  ids: readonly string[],
  { force }: { readonly force: boolean },
): readonly CaseItem[] {
  const removed = new Set(ids);
  const parents = new Set(items.map(({ parent }) => parent));
  const filled = force ? undefined : ids.find((id) => parents.has(id));
  if (filled !== undefined) {
    const message = `Folder '${filled}' is not empty. Use force=True to remove it and its children.`;
    throw new InvalidInput('case_folder_not_empty', message, { at: 'ids' });
  }
  for (let found = true; found; ) {
    found = false;
    for (const item of items) {
      if (removed.has(item.id) || !item.parent || !removed.has(item.parent)) continue;
      removed.add(item.id);
      found = true;
    }
  }
  return items.filter((item) => !removed.has(item.id));
}

export interface ItemMove {
  /** New name. Default: the present one. */
  readonly name?: string | undefined;
  /** Folder to move it to, null for the root. Default: it stays where it is. */
  readonly parent?: Place | undefined;
  /** New text of notes, or new address of a reference. Default: the present one. */
  readonly value?: string | undefined;
}

/** Types whose value is theirs; of others it names a record, a case or the folder itself. */
const WITH_OWN_VALUE: ReadonlySet<CaseItem['type']> = new Set(['markdown', 'reference']);

/**
 * Returns items with one renamed, moved or rewritten.
 * @throws InvalidInput `case_item_name_taken`, `case_item_value_fixed`, and as `rejectMove`
 */
export function withMovedItem(items: readonly CaseItem[], item: CaseItem, move: ItemMove): readonly CaseItem[] {
  const value = move.value ?? item.value;
  if (value !== item.value && !WITH_OWN_VALUE.has(item.type)) {
    const message = `The value of an item of the type ${item.type} cannot be changed. Remove the item and add another.`;
    throw new InvalidInput('case_item_value_fixed', message, { at: 'value' });
  }
  const name = move.name ?? item.name ?? value;
  const place = move.parent === undefined ? placeOf(item) : move.parent;
  if (move.parent) rejectMove(items, item, move.parent);
  if (isNameTaken(items, name, place, item.id)) {
    const message =
      move.parent === undefined
        ? `Name '${name}' is already used by a sibling item in this case`
        : `An item with name '${name}' already exists in destination.`;
    throw new InvalidInput('case_item_name_taken', message, { at: 'name' });
  }
  const { parent: _left, ...rest } = item;
  const moved: CaseItem = {
    ...rest,
    value,
    ...(move.name === undefined ? {} : { name }),
    ...(move.name !== undefined && item.type === 'folder' ? { value: name } : {}),
    ...(place === null ? {} : { parent: place }),
  };
  return items.map((one) => (one.id === item.id ? moved : one));
}

function rejectMove(items: readonly CaseItem[], item: CaseItem, parentId: string): void {
  if (item.type === 'case') {
    const message = 'Case items must be root-level (parent must be null)';
    throw new InvalidInput('case_item_at_root_only', message, { at: 'parent' });
  }
  rejectUnfitParent(
    items.find(({ id }) => id === parentId),
    parentId,
  );
  if (!liesIn(items, parentId, item.id)) return;
  const message = `Cannot move folder '${item.id}' under its own descendant '${parentId}'`;
  throw new InvalidInput('case_folder_cycle', message, { at: 'parent' });
}

/** Returns whether the item is `ancestorId` or lies in it, at any depth. */
function liesIn(items: readonly CaseItem[], itemId: string, ancestorId: string): boolean {
  const parents = new Map(items.map((item) => [item.id, item.parent]));
  const seen = new Set<string>();
  for (let id: string | undefined | null = itemId; id && !seen.has(id); id = parents.get(id)) {
    if (id === ancestorId) return true;
    seen.add(id);
  }
  return false;
}

/** @throws NotFound `case_item_missing`, naming those that are not among `items` */
export function rejectMissing(items: readonly CaseItem[], ids: readonly string[]): void {
  const present = new Set(items.map((item) => item.id));
  const missing = ids.filter((id) => !present.has(id));
  if (missing.length > 0) {
    throw new NotFound('case_item_missing', `Item(s) not found in case: ${missing.join(', ')}`);
  }
}
