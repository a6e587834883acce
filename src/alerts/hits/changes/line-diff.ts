/** Lines of unchanged text shown around a change. */
const CONTEXT = 3;
/** Compared line pairs above which the texts are not searched for common lines: everything is removed, then everything added. */
const MAX_COMPARISONS = 1_000_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The changed lines of a text with their surroundings, each with ` `, `-` or `+` in front, as unified diffs have them (no headers). */
export function lineDiff(before: string, after: string): readonly string[] {
  const lines = compare(before.split('\n'), after.split('\n'));
  return lines.filter((_, index) => isNearChange(lines, index)).map(({ sign, text }) => `${sign}${text}`);
}

function isNearChange(lines: readonly Line[], index: number): boolean {
  const last = Math.min(lines.length - 1, index + CONTEXT);
  for (let near = Math.max(0, index - CONTEXT); near <= last; near += 1) {
    if (lines[near]?.sign !== ' ') return true;
  }
  return false;
}

function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
  }
  const same = (text: string): Line => ({ sign: ' ', text });
  return [
    ...before.slice(0, head).map(same),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
}

/** By the longest common subsequence. */
function compareMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  if (before.length * after.length > MAX_COMPARISONS) {
    return [...before.map(removed), ...after.map(added)];
  }
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: Line[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const [old, fresh] = [before[row], after[column]];
    if (old !== undefined && old === fresh) {
      lines.push({ sign: ' ', text: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(old));
      row += 1;
    } else if (fresh !== undefined) {
      lines.push(added(fresh));
      column += 1;
    }
  }
  return lines;
}

function removed(text: string): Line {
  return { sign: '-', text };
}

function added(text: string): Line {
  return { sign: '+', text };
}
