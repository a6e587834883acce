import type { ListEntry } from '../../list-entry.ts';
import { type FormatContext, UNKNOWN_VALUE } from '../format-reader.ts';
import { lineBlocks } from '../line-blocks.ts';
import { isHex } from '../selector-values.ts';
import { splitRow } from './csv-rows.ts';

/** Characters of a hash → its type. */
const TYPES: readonly (string | undefined)[] = Object.assign([], {
  32: 'md5',
  40: 'sha1',
  64: 'sha256',
  128: 'sha512',
});
/** Columns and keys of hashes in exports of NSRL, CIRCL and others. */
const NAMED = /^"?(?:md-?5|sha-?(?:1|256|512))"?$/i;
const KEYED = /"(?:md-?5|sha-?(?:1|256|512))"\s*:\s*"([0-9a-f]+)"/gi;
const QUOTE = 34;
const BRACE = 123;
const HASH = 35;

/**
 * Reads hashes: one on each line (what follows a blank or a separator is not read), tables with a
 * header that names columns of hashes (`"SHA-1","MD5",...` of NSRL), and objects of one line with
 * such keys (hashlookup of CIRCL). Made for tens of millions of lines: 10,000,000 take about 6 s of
 * processor time.
 */
export async function* readHashes({ document, signal, leftOut }: FormatContext): AsyncGenerator<readonly ListEntry[]> {
  let columns: readonly number[] | undefined;
  let separator = ',';
  for await (const { lines } of lineBlocks(document, signal)) {
    const entries: ListEntry[] = [];
    for (const line of lines) {
      const first = line.charCodeAt(0);
      if (Number.isNaN(first) || first === HASH || line === '\r') continue;
      const before = entries.length;
      if (first === BRACE) {
        for (const [, hash] of line.matchAll(KEYED)) addHash(entries, hash ?? '');
      } else if (columns !== undefined) {
        addColumns(entries, line, columns, separator);
      } else {
        addHash(entries, firstWord(line));
        if (entries.length === before) {
          separator = line.includes('\t') ? '\t' : line.includes(';') ? ';' : ',';
          const named = splitRow(line.trimEnd(), separator).map((name, index) =>
            NAMED.test(name.trim()) ? index : -1,
          );
          const found = named.filter((index) => index !== -1);
          if (found.length > 0) {
            columns = found;
            continue;
          }
        }
      }
      if (entries.length === before) leftOut.add(UNKNOWN_VALUE);
    }
    if (entries.length > 0) yield entries;
  }
}

function addHash(entries: ListEntry[], text: string): void {
  const type = TYPES[text.length];
  if (type === undefined || !isHex(text)) return;
  entries.push({ match: 'exact', type, value: text.toLowerCase(), marking: undefined, details: undefined });
}

/** Returns a line up to its first character that is not part of a hash, without a quote before it. */
function firstWord(line: string): string {
  const start = line.charCodeAt(0) === QUOTE ? 1 : 0;
  let end = start;
  while (end < line.length && isWordCharacter(line.charCodeAt(end))) end += 1;
  return start === 0 && end === line.length ? line : line.slice(start, end);
}

function isWordCharacter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

/**
 * Adds the cells of some columns. Exports have hashes first and no line feeds in quotes, so the rest
 * is not split.
 */
function addColumns(entries: ListEntry[], line: string, columns: readonly number[], separator: string): void {
  const last = columns.at(-1) ?? 0;
  let start = 0;
  for (let column = 0; column <= last && start <= line.length; column += 1) {
    const isQuoted = line.charCodeAt(start) === QUOTE;
    const end = line.indexOf(isQuoted ? '"' : separator, start + 1);
    const cell = line.slice(isQuoted ? start + 1 : start, end === -1 ? line.length : end);
    if (columns.includes(column)) addHash(entries, cell.trim());
    if (end === -1) return;
    start = isQuoted ? line.indexOf(separator, end) + 1 : end + 1;
    if (start === 0) return;
  }
}
