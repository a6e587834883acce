import { useCommands } from '../../../keys/commands.tsx';

export interface RowCommands {
  readonly rowCount: number;
  readonly activeIndex: number | undefined;
  readonly onActiveIndex: (index: number) => void;
  /** Returns the rows that fit into sight. */
  readonly pageSize: () => number;
  /** Absent: rows lead nowhere. */
  readonly onOpen?: ((index: number) => void) | undefined;
}

/** Offers the keys that walk the rows of a table, wherever the focus is on the page. */
export function useRowCommands({ rowCount, activeIndex, onActiveIndex, pageSize, onOpen }: RowCommands): void {
  const at = activeIndex ?? -1;
  const go = (index: number) => {
    if (rowCount > 0) onActiveIndex(Math.max(0, Math.min(rowCount - 1, index)));
  };
  useCommands([
    { id: 'next', run: () => go(at + 1) },
    { id: 'previous', run: () => go(at - 1) },
    { id: 'first', run: () => go(0) },
    { id: 'last', run: () => go(rowCount - 1) },
    { id: 'pageDown', run: () => go(at + pageSize()) },
    { id: 'pageUp', run: () => go(at - pageSize()) },
    ...(onOpen === undefined ? [] : [{ id: 'open' as const, run: () => onOpen(at), isEnabled: at >= 0 }]),
  ]);
}
