/** The rows that a person chose: by their ids, or all that match a query with exceptions. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** True when every match counts but `except`; `ids` is empty then. */
  readonly all: boolean;
  readonly except: ReadonlySet<string>;
  /** The row at which a range begins. */
  readonly anchor: number | undefined;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), all: false, except: new Set(), anchor: undefined };
export const ALL_SELECTED: Selection = { ...NOTHING_SELECTED, all: true };

export function isSelected(selection: Selection, id: string): boolean {
  return selection.all ? !selection.except.has(id) : selection.ids.has(id);
}

/** Returns how many rows are chosen of a result of `total` rows. */
export function selectedCount(selection: Selection, total: number): number {
  return selection.all ? Math.max(0, total - selection.except.size) : selection.ids.size;
}

export function selectionState(selection: Selection, total: number): 'none' | 'some' | 'all' {
  const count = selectedCount(selection, total);
  if (count === 0) return 'none';
  return count >= total ? 'all' : 'some';
}

/** Adds a row, or takes it away; a range begins at it. */
export function toggled(selection: Selection, id: string, index: number): Selection {
  const from = selection.all ? selection.except : selection.ids;
  const changed = new Set(from);
  if (!changed.delete(id)) changed.add(id);
  return selection.all
    ? { ...selection, except: changed, anchor: index }
    : { ...selection, ids: changed, anchor: index };
}

/**
 * Adds the rows between the anchor and `index`. Rows that are not loaded have no id and are left out.
 * @param active where a range begins when nothing was chosen yet
 */
export function extended(
  selection: Selection,
  index: number,
  active: number | undefined,
  idAt: (index: number) => string | undefined,
): Selection {
  const anchor = selection.anchor ?? active ?? index;
  const ids = new Set(selection.ids);
  const except = new Set(selection.except);
  for (let place = Math.min(anchor, index); place <= Math.max(anchor, index); place += 1) {
    const id = idAt(place);
    if (id === undefined) continue;
    if (selection.all) except.delete(id);
    else ids.add(id);
  }
  return { ...selection, ids, except, anchor };
}
