import type { TwoLines } from '../../../../design/data/table/two-lines.tsx';
import { isSpecialColumn } from './special-columns.ts';

const START = ['severity', 'analytic', 'time'];
const END = ['status', 'assignee'];

/**
 * Distributes the chosen columns over two lines: which alert and when, then about what, how far and
 * with whom. Fields of the reader's choice stand beside the outline; labels and escalation, which need
 * the width of a table, are left to the alert itself.
 */
export function narrowLines(columns: readonly string[]): TwoLines {
  const start = START.filter((id) => columns.includes(id));
  const named = columns.filter((id) => !isSpecialColumn(id));
  const middle = columns.filter((id) => id === 'outline' || named.includes(id));
  const end = END.filter((id) => columns.includes(id));
  const wide = ['analytic', ...middle];
  if (start.includes('analytic')) return { first: start, second: [...middle, ...end], wide, named };
  // Without an analytic the first line has room for what says most.
  const [main, rest] = [middle.slice(0, 1), middle.slice(1)];
  const [before, after] = [start.filter((id) => id !== 'time'), start.filter((id) => id === 'time')];
  return { first: [...before, ...main, ...after], second: [...rest, ...end], wide, named };
}
