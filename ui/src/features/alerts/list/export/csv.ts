import { plainString } from '../../../../json/members.ts';

/** Programs for tables run a cell as a formula when it begins so. */
const FORMULA = /^[\s\u00a0\ufeff]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const NUMBER = /^\s*[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/;
/** Characters at which another program begins a cell: a French one separates them by semicolons. */
const SEPARATORS = /([;\t\r\n]+)/;

/**
 * Returns one cell, quoted where needed; one that begins a formula gets an apostrophe, and so does a
 * part of it that another program may take for a cell. Numbers stay numbers.
 */
export function csvCell(value: unknown): string {
  const text = cellText(value);
  const parts = text.split(SEPARATORS).map((part, index) => (index > 0 && index % 2 === 0 ? harmless(part) : part));
  const whole = FORMULA.test(text) && !NUMBER.test(text) ? `'${parts.join('')}` : parts.join('');
  return /[",;\r\n]|^\s|\s$/.test(whole) ? `"${whole.replaceAll('"', '""')}"` : whole;
}

/** Returns a line of RFC 4180, with its end. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function harmless(part: string): string {
  return FORMULA.test(part) && !NUMBER.test(part) ? part.replace(/^\s*/, "$&'") : part;
}

function cellText(value: unknown): string {
  return Array.isArray(value) ? value.map(cellText).join('; ') : plainString(value);
}
