/** The commands that walk the rows of a list. */
export const ROW_STEPS = ['next', 'previous', 'first', 'last', 'pageDown', 'pageUp'] as const;
export type RowStep = (typeof ROW_STEPS)[number];

const STEP_OF_KEY: ReadonlyMap<string, RowStep> = new Map([
  ['ArrowDown', 'next'],
  ['ArrowUp', 'previous'],
  ['Home', 'first'],
  ['End', 'last'],
  ['PageDown', 'pageDown'],
  ['PageUp', 'pageUp'],
]);

/** Returns the step that a key means in a list that has the focus. */
export function rowStepOf(key: string): RowStep | undefined {
  return STEP_OF_KEY.get(key);
}

export interface RowPlace {
  /** Undefined: no row is active. */
  readonly activeIndex: number | undefined;
  readonly rowCount: number;
  /** Rows that fit into sight. */
  readonly pageSize: number;
}

/** Returns the row that a step leads to; undefined in a list without rows. */
export function rowAfter(step: RowStep, { activeIndex = -1, rowCount, pageSize }: RowPlace): number | undefined {
  if (rowCount === 0) return undefined;
  const wanted = {
    next: activeIndex + 1,
    previous: activeIndex - 1,
    first: 0,
    last: rowCount - 1,
    pageDown: activeIndex + pageSize,
    pageUp: activeIndex - pageSize,
  }[step];
  return Math.max(0, Math.min(rowCount - 1, wanted));
}
