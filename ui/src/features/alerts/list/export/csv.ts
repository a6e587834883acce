import { plainString } from '../../../../json/members.ts';

/** Programs for tables run a cell as a formula when it begins so. */
const FORMULA = /^[\s\u00a0\ufeff]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Returns one cell, quoted where needed; one that begins a formula gets an apostrophe. Numbers stay
 * numbers.
 */
export function csvCell(value: unknown): string {
  const text = cellText(value);
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Returns a line of RFC 4180, with its end. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function cellText(value: unknown): string {
  return Array.isArray(value) ? value.map(cellText).join('; ') : plainString(value);
}
