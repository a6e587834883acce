import { type ListEntry, type ListMatch, ListProblem } from '../../list-entry.ts';
import type { FormatContext } from '../format-reader.ts';
import { UNKNOWN_VALUE } from '../format-reader.ts';
import { jsonParts } from '../json/json-parts.ts';
import type { JsonShape } from '../json/json-scanner.ts';
import { detailsFrom } from '../list-details.ts';
import { detectedValue, listedDomain } from '../selector-values.ts';

const SHAPE: JsonShape = {
  name: 'name',
  description: 'description',
  type: 'type',
  list: { '[]': 'value', '}': 'list' },
};

/** Kinds of warninglists → how their values match. */
const MATCHES: ReadonlyMap<unknown, ListMatch> = new Map<unknown, ListMatch>([
  ['string', 'exact'],
  ['hostname', 'hostname'],
  ['substring', 'substring'],
  ['cidr', 'cidr'],
  ['regex', 'regex'],
]);
/** Bytes of values, which usually stand before the type of the list: keys are sorted. */
const MAX_WAITING = 96 * 1024 ** 2;
/** Bytes that a string takes in addition to its characters. */
const STRING_COST = 32;

/**
 * Reads a warninglist of MISP. Its values are known and harmless, or identify a service that is, so
 * that each is `ubiquitous`.
 */
export async function* readMispWarninglist({
  document,
  signal,
  leftOut,
}: FormatContext): AsyncGenerator<readonly ListEntry[]> {
  const about = new Map<string, unknown>();
  const values: string[] = [];
  let length = 0;
  for await (const parts of jsonParts(document, SHAPE, {
    signal,
    onTooLarge: () => leftOut.add('is larger than 1 MB'),
  })) {
    for (const { name, value } of parts) {
      if (name !== 'value') about.set(name, value);
      else if (typeof value === 'string') {
        length += value.length + STRING_COST;
        values.push(value);
      } else leftOut.add(UNKNOWN_VALUE);
    }
    if (length > MAX_WAITING) throw new ListProblem(document.place, 'its values take more than 96 MB');
  }
  const kind = about.get('type') ?? 'string';
  const match = MATCHES.get(kind);
  if (!about.has('list')) throw new ListProblem(document.place, 'it is not a warninglist: it has no "list"');
  if (match === undefined) {
    const kinds = [...MATCHES.keys()].join(', ');
    throw new ListProblem(document.place, `it has the type ${JSON.stringify(kind)?.slice(0, 50)}. Types are ${kinds}`);
  }
  const [name, description] = [about.get('name'), about.get('description')];
  const summary = [name, description].filter((text) => typeof text === 'string').join(': ');
  const details = detailsFrom({ ubiquitous: true, summary });
  for (let start = 0; start < values.length; start += 1000) {
    const entries: ListEntry[] = [];
    for (const text of values.slice(start, start + 1000)) {
      const found = valueAs(match, text.trim());
      if (found === undefined) leftOut.add(UNKNOWN_VALUE);
      else entries.push({ ...found, marking: undefined, details });
    }
    if (entries.length > 0) yield entries;
  }
}

function valueAs(match: ListMatch, text: string): Pick<ListEntry, 'match' | 'type' | 'value'> | undefined {
  if (text === '') return undefined;
  if (match === 'substring') return { match, type: undefined, value: text };
  if (match === 'regex') return { match, type: undefined, value: withoutDelimiters(text) };
  const name = match === 'hostname' ? listedDomain(text.replace(/^\./, '')) : undefined;
  if (name !== undefined) return { match, type: 'domain', value: name };
  const found = detectedValue(text);
  if (found === undefined) return undefined;
  const isAddress = found.type === 'ipv4' || found.type === 'ipv6';
  if (match === 'cidr') return isAddress ? { match, type: found.type, value: found.value } : undefined;
  return { match: found.isNetwork ? 'cidr' : 'exact', type: found.type, value: found.value };
}

/** Returns an expression without the slashes and modifiers that PHP needs. */
function withoutDelimiters(text: string): string {
  return /^\/(.+)\/[a-zA-Z]*$/s.exec(text)?.[1] ?? text;
}
