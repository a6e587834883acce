import type { TreeItem, TreeMove } from '../../../design/data/records/tree.tsx';
import type { CaseItem } from '../case-api.ts';

/** The row of the case itself: what is dropped on it leaves its folder. */
export const ROOT = '';

/** Indentation ends here, so that folders nested a thousand times stay in sight. */
const MAX_DEPTH = 24;

export interface ItemTree {
  readonly byId: ReadonlyMap<string, CaseItem>;
  /** The items that lie in a folder, or in ROOT: folders first, then by name. */
  readonly children: ReadonlyMap<string, readonly CaseItem[]>;
  /** The folder of each item after what is not possible was put at the root. */
  readonly parentOf: ReadonlyMap<string, string>;
}

/** Returns the name that people see. */
export function itemName({ name, value }: Pick<CaseItem, 'name' | 'value'>): string {
  return name === undefined || name === '' ? value : name;
}

/** Outlines of records, by their identifiers. */
export type RecordNames = ReadonlyMap<string, string>;

/** Returns the name of a row: a record without a name of its own is called by its outline. */
export function shownName(item: CaseItem, names: RecordNames | undefined): string {
  const name = itemName(item);
  return (name === item.value ? names?.get(item.value) : undefined) || name;
}

/**
 * Returns the items by folder. Each item is seen once: those of missing folders, and folders that lie
 * in themselves, are at the root.
 */
export function itemTree(items: readonly CaseItem[], names?: RecordNames): ItemTree {
  const byId = new Map(items.map((item) => [item.id, item]));
  const parentOf = new Map<string, string>();
  for (const { id, parent } of byId.values()) {
    const isFolder = parent !== undefined && byId.get(parent)?.type === 'folder';
    parentOf.set(id, isFolder ? parent : ROOT);
  }
  cutCycles(parentOf);
  const children = new Map<string, CaseItem[]>();
  for (const item of byId.values()) {
    const parent = parentOf.get(item.id) ?? ROOT;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [item]);
    else siblings.push(item);
  }
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const rank = ({ type }: CaseItem) => (type === 'folder' ? 0 : 1);
  for (const siblings of children.values()) {
    siblings.sort((left, right) => rank(left) - rank(right) || compare(sortName(left, names), sortName(right, names)));
  }
  return { byId, children, parentOf };
}

/** A markdown item without a name is its whole text; a comparison of the first letters is enough. */
function sortName(item: CaseItem, names: RecordNames | undefined): string {
  return shownName(item, names).slice(0, 200);
}

function cutCycles(parentOf: Map<string, string>): void {
  const rooted = new Set<string>([ROOT]);
  for (const id of parentOf.keys()) {
    const path = new Set<string>();
    let place = id;
    while (!rooted.has(place)) {
      path.add(place);
      const parent = parentOf.get(place) ?? ROOT;
      if (path.has(parent)) parentOf.set(place, ROOT);
      place = parentOf.get(place) ?? ROOT;
    }
    for (const one of path) rooted.add(one);
  }
}

export interface Shown {
  /** Folders that are closed; the others are open. */
  readonly closed: ReadonlySet<string>;
  /** Words that names or values contain; folders of what is found are shown open. */
  readonly search: string;
  /** They are searched, too. */
  readonly names?: RecordNames;
}

/** Returns the rows of the tree in the order of sight, the case itself first. Its data is null. */
export function treeRows(tree: ItemTree, { closed, search, names }: Shown): TreeItem<CaseItem | null>[] {
  const wanted = search.trim() === '' ? undefined : foundWithFolders(tree, search.trim().toLowerCase(), names);
  const rows: TreeItem<CaseItem | null>[] = [{ id: ROOT, depth: 0, isOpen: true, data: null }];
  const waiting = (tree.children.get(ROOT) ?? []).toReversed().map((item) => ({ item, depth: 1 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { item, depth } = next;
    if (wanted !== undefined && !wanted.has(item.id)) continue;
    const isFolder = item.type === 'folder';
    const isOpen = wanted !== undefined || !closed.has(item.id);
    rows.push({ id: item.id, depth: Math.min(depth, MAX_DEPTH), isOpen: isFolder ? isOpen : undefined, data: item });
    if (!isFolder || !isOpen) continue;
    const inside = tree.children.get(item.id) ?? [];
    for (const child of inside.toReversed()) waiting.push({ item: child, depth: depth + 1 });
  }
  return rows;
}

/** Returns the items that contain the words, and the folders on the way to them. */
function foundWithFolders({ byId, parentOf }: ItemTree, words: string, names?: RecordNames): Set<string> {
  const found = new Set<string>();
  for (const item of byId.values()) {
    if (!`${item.name ?? ''}\n${item.value}\n${names?.get(item.value) ?? ''}`.toLowerCase().includes(words)) continue;
    for (let id = item.id; id !== ROOT && !found.has(id); id = parentOf.get(id) ?? ROOT) found.add(id);
  }
  return found;
}

/** Returns whether an item lies in a folder, at any depth, or is the folder. */
export function isWithin({ parentOf }: ItemTree, id: string, folder: string): boolean {
  for (let place: string = id; place !== ROOT; place = parentOf.get(place) ?? ROOT) if (place === folder) return true;
  return false;
}

/** Returns the folders in the order of sight. */
export function foldersInOrder(tree: ItemTree): string[] {
  return treeRows(tree, { closed: new Set(), search: '' }).flatMap(({ id, data }) =>
    data === null || data.type === 'folder' ? [id] : [],
  );
}

/**
 * Returns the folder that a move leads to, ROOT for none; undefined where the item would stay.
 * `out` takes it out of its folder, `in` into the sibling folder before it, `up` and `down` to the folders
 * before and after its own, in the order of sight.
 */
export function destinationOf(tree: ItemTree, id: string, move: TreeMove): string | undefined {
  const present = tree.parentOf.get(id);
  const item = tree.byId.get(id);
  // Only the root holds cases.
  if (present === undefined || item === undefined || item.type === 'case') return undefined;
  const isFit = (folder: string | undefined) =>
    folder !== undefined && folder !== present && !isWithin(tree, folder, id);
  const wanted = wantedFolder(tree, id, present, move);
  return isFit(wanted) ? wanted : undefined;
}

function wantedFolder(tree: ItemTree, id: string, present: string, move: TreeMove): string | undefined {
  if (move.kind === 'into') return move.target;
  if (move.kind === 'out') return tree.parentOf.get(present);
  if (move.kind === 'in') {
    const siblings = tree.children.get(present) ?? [];
    const place = siblings.findIndex((sibling) => sibling.id === id);
    return siblings.slice(0, place).findLast(({ type }) => type === 'folder')?.id;
  }
  const folders = foldersInOrder(tree).filter((folder) => folder === ROOT || !isWithin(tree, folder, id));
  return folders[folders.indexOf(present) + (move.kind === 'up' ? -1 : 1)];
}
