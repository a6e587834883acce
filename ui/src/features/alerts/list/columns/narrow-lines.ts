import { isSpecialColumn } from './special-columns.ts';

/** The columns in the two lines of a row on a small screen. */
export interface NarrowLines {
  readonly first: readonly string[];
  readonly second: readonly string[];
}

const START = ['severity', 'analytic', 'time'];
const END = ['status', 'assignee'];

/**
 * Distributes the chosen columns over two lines: which alert and when, then about what, how far and
 * with whom. Fields of the reader's choice stand beside the outline; labels and escalation, which need
 * the width of a table, are left to the alert itself.
 */
export function narrowLines(columns: readonly string[]): NarrowLines {
  const start = START.filter((id) => columns.includes(id));
  const middle = columns.filter((id) => id === 'outline' || !isSpecialColumn(id));
  const end = END.filter((id) => columns.includes(id));
  if (start.includes('analytic')) return { first: start, second: [...middle, ...end] };
  // Without an analytic the first line has room for what says most.
  const [main, rest] = [middle.slice(0, 1), middle.slice(1)];
  const [before, after] = [start.filter((id) => id !== 'time'), start.filter((id) => id === 'time')];
  return { first: [...before, ...main, ...after], second: [...rest, ...end] };
}

/** Returns whether a column takes the width that others leave, and is cut where it ends. */
export function takesWidth(id: string): boolean {
  return id === 'analytic' || id === 'outline' || !isSpecialColumn(id);
}
