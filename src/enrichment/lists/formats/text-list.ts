import type { ListEntry, ListMatch, ListSettings } from '../list-entry.ts';
import { type FormatContext, holdsExpressions, UNKNOWN_VALUE } from './format-reader.ts';
import { lineBlocks } from './line-blocks.ts';
import { detectedValue, type ListedValue, listedDomain } from './selector-values.ts';

const COMMENT = /^(?:[#;!]|\/\/|\[Adblock)/i;
/** Addresses to which hosts files send the names that they block. */
const SINKS: ReadonlySet<string> = new Set(['0.0.0.0', '127.0.0.1', '::', '::1', '::0']);
const FILTER = /^\|\|([^\s/^$]+)\^(?:\$\S*)?$/;

/**
 * Reads a value from each line: plain lists, also with more columns after a blank or a tab, hosts
 * files, and filter lists with `||name^`. Comments begin with `#`, `;`, `!` or `//`.
 */
export async function* readText({
  document,
  list,
  signal,
  leftOut,
}: FormatContext): AsyncGenerator<readonly ListEntry[]> {
  const isExpression = holdsExpressions(list);
  for await (const { lines } of lineBlocks(document, signal)) {
    const entries: ListEntry[] = [];
    for (const line of lines) {
      const text = line.trim();
      if (text === '' || COMMENT.test(text)) continue;
      if (isExpression) entries.push(expressionEntry(list, text));
      else if (!addLine(entries, text, list)) leftOut.add(UNKNOWN_VALUE);
    }
    if (entries.length > 0) yield entries;
  }
}

/**
 * Returns the entry of a value that is part of a selector, or an expression for selectors, of any
 * type.
 */
export function expressionEntry({ match }: ListSettings, value: string): ListEntry {
  return { match: match ?? 'exact', type: undefined, value, marking: undefined, details: undefined };
}

/**
 * Returns how a value of a plain list matches. Settings for networks or names do not apply to other
 * values.
 */
export function matchOf(list: ListSettings, { type, isNetwork }: ListedValue): ListMatch {
  if (isNetwork) return 'cidr';
  const { match } = list;
  if (match === 'cidr') return type === 'ipv4' || type === 'ipv6' ? 'cidr' : 'exact';
  return match !== null && (type === 'domain' || type === 'hostname') ? match : 'exact';
}

function addLine(entries: ListEntry[], text: string, list: ListSettings): boolean {
  const blank = text.search(/\s/);
  if (blank !== -1) {
    const first = text.slice(0, blank);
    return SINKS.has(first) ? addNames(entries, text, list) : addLine(entries, first, list);
  }
  const [, blocked] = text.startsWith('||') ? (FILTER.exec(text) ?? []) : [];
  const parent = blocked ?? (text.startsWith('*.') ? text.slice(2) : text.startsWith('.') ? text.slice(1) : undefined);
  if (parent !== undefined) {
    const domain = listedDomain(parent);
    if (domain !== undefined) return entries.push(entryOf('domain', 'domain', domain)) > 0;
    if (blocked === undefined) return false;
  }
  const value = detectedValue(blocked ?? text);
  return value !== undefined && entries.push(entryOf(matchOf(list, value), value.type, value.value)) > 0;
}

/** Adds the names of a line of a hosts file. */
function addNames(entries: ListEntry[], line: string, list: ListSettings): boolean {
  const names = (line.split(/[#;]/, 1)[0] ?? '').trim().split(/\s+/).slice(1);
  const before = entries.length;
  for (const name of names) {
    const domain = listedDomain(name);
    if (domain === undefined) continue;
    const match = matchOf(list, { type: 'domain', value: domain, isNetwork: false });
    entries.push(entryOf(match, 'domain', domain));
  }
  return entries.length > before;
}

function entryOf(match: ListMatch, type: string, value: string): ListEntry {
  return { match, type, value, marking: undefined, details: undefined };
}
