/** Rows that are looked at, and that a table has at least. */
const MAX_ROWS = 100;
const MIN_ROWS = 3;
/** Separators of columns, the usual one first. */
const SEPARATORS = [',', ';', '\t', '|'] as const;

/** Returns whether text is a table: three rows or more, all with the same number of columns. */
export function isCsv(text: string, isWhole: boolean): boolean {
  return SEPARATORS.some((separator) => {
    const rows = rowWidths(text, separator, isWhole);
    return rows.length >= MIN_ROWS && new Set(rows).size === 1 && (separator === ',' || (rows[0] ?? 0) > 1);
  });
}

/** Returns the number of columns of the first rows. The last row counts only when the text is whole. */
function rowWidths(text: string, separator: string, isWhole: boolean): readonly number[] {
  const widths: number[] = [];
  let columns = 1;
  let isEmpty = true;
  let isQuoted = false;
  /** At the start of a field, or behind a quote that may be doubled: only there a quoted part begins. */
  let mayQuote = true;
  for (const character of text) {
    if (isQuoted) {
      isQuoted = character !== '"';
      mayQuote = !isQuoted;
      continue;
    }
    if (character === '\n') {
      if (!isEmpty) widths.push(columns);
      if (widths.length === MAX_ROWS) return widths;
      columns = 1;
      isEmpty = true;
      mayQuote = true;
      continue;
    }
    if (character === '\r') continue;
    isEmpty = false;
    isQuoted = character === '"' && mayQuote;
    mayQuote = character === separator;
    if (mayQuote) columns += 1;
  }
  if (isWhole && !isEmpty) widths.push(columns);
  return widths;
}

/** Returns whether text is JSON, of an object, a list or a single value. */
export function isJson(text: string): boolean {
  if (!/^\s*[[{"\-\dtfn]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
