import { useCommands } from './commands.tsx';
import { ROW_STEPS, rowAfter } from './row-steps.ts';

export interface RowCommands {
  readonly rowCount: number;
  readonly activeIndex: number | undefined;
  readonly onActiveIndex: (index: number) => void;
  /** Returns the rows that fit into sight. */
  readonly pageSize: () => number;
  /** Absent: rows lead nowhere. */
  readonly onOpen?: ((index: number) => void) | undefined;
  /** False: the keys are left to another list. Default true. */
  readonly isOffered?: boolean | undefined;
}

/** Offers the keys that walk the rows of a table, wherever the focus is on the page. */
export function useRowCommands(rows: RowCommands): void {
  const { rowCount, activeIndex, onActiveIndex, pageSize, onOpen, isOffered = true } = rows;
  const steps = ROW_STEPS.map((id) => ({
    id,
    run: () => {
      const index = rowAfter(id, { activeIndex, rowCount, pageSize: pageSize() });
      if (index !== undefined) onActiveIndex(index);
    },
  }));
  const open = { id: 'open' as const, run: () => onOpen?.(activeIndex ?? 0), isEnabled: activeIndex !== undefined };
  const commands = onOpen === undefined ? steps : [...steps, open];
  useCommands(isOffered ? commands : []);
}
