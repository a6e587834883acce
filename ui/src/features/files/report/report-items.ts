import type { TreeItem } from '../../../design/data/records/tree.tsx';
import type { ReportFile, Result, Section } from './report.ts';

/** An analyzer on a file, or a section of its result. */
export interface ResultNode {
  readonly result: Result;
  readonly section?: Section | undefined;
}

/** Branches that the reader opened (true) or closed, by the id of the item. */
export type Toggles = ReadonlyMap<string, boolean>;

/** Returns results and their sections as a tree; members of closed branches are left out. */
export function resultItems(results: readonly Result[], toggles: Toggles): TreeItem<ResultNode>[] {
  const items: TreeItem<ResultNode>[] = [];
  for (const result of results) {
    const isOpen = toggles.get(result.key) ?? true;
    items.push({
      id: result.key,
      depth: 0,
      isOpen: result.sections.length === 0 ? undefined : isOpen,
      data: { result },
    });
    if (isOpen) pushSections(items, result, toggles);
  }
  return items;
}

function pushSections(items: TreeItem<ResultNode>[], result: Result, toggles: Toggles): void {
  let closedAt = Number.POSITIVE_INFINITY;
  result.sections.forEach((section, index) => {
    if (section.depth > closedAt) return;
    const id = `${result.key} ${index}`;
    const next = result.sections[index + 1];
    const hasChildren = next !== undefined && next.depth > section.depth;
    const isOpen = toggles.get(id) ?? !section.isClosed;
    closedAt = hasChildren && !isOpen ? section.depth : Number.POSITIVE_INFINITY;
    items.push({
      id,
      depth: section.depth + 1,
      isOpen: hasChildren ? isOpen : undefined,
      data: { result, section },
    });
  });
}

/** Returns the files as a tree; members of closed branches are left out. */
export function fileItems(files: readonly ReportFile[], toggles: Toggles): TreeItem<ReportFile>[] {
  let closedAt = Number.POSITIVE_INFINITY;
  return files.flatMap((file) => {
    if (file.depth > closedAt) return [];
    const isOpen = toggles.get(file.path) ?? true;
    closedAt = file.hasChildren && !isOpen ? file.depth : Number.POSITIVE_INFINITY;
    return [{ id: file.path, depth: file.depth, isOpen: file.hasChildren ? isOpen : undefined, data: file }];
  });
}
