import type { Option } from '../../../design/forms/choices/options.ts';
import { foldersInOrder, type ItemTree, isWithin, itemName, ROOT } from './item-tree.ts';

/** Names of folders above one that are written before it. */
const MAX_NAMES = 6;

/** Returns the folders that an item may lie in, with their paths; a folder does not go into itself. */
export function folderOptions(tree: ItemTree, rootName: string, item?: string): Option[] {
  return foldersInOrder(tree)
    .filter((folder) => item === undefined || folder === ROOT || !isWithin(tree, folder, item))
    .map((folder) => ({ value: folder, label: folder === ROOT ? rootName : pathOf(tree, folder) }));
}

function pathOf({ byId, parentOf }: ItemTree, folder: string): string {
  const names: string[] = [];
  for (let id: string = folder; id !== ROOT && names.length <= MAX_NAMES; id = parentOf.get(id) ?? ROOT) {
    const item = byId.get(id);
    names.unshift(names.length === MAX_NAMES || item === undefined ? '…' : itemName(item));
  }
  return names.join(' / ');
}
