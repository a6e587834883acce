import { isDeepStrictEqual } from 'node:util';
import type { IndexAdmin } from '../../datastore/port/index-admin.ts';
import { Conflict } from '../../errors/errors.ts';

interface Comparison {
  readonly source: string;
  readonly target: string;
  /** Documents of the source may be missing in the target. */
  readonly allowMissing: boolean;
  readonly signal: AbortSignal;
}

/** Places in the order of identifiers where documents are compared, and documents at each. */
const PLACES = 48;
const DOCUMENTS = 4;
/** Questions after which a narrow range of identifiers is given up. */
const MAX_QUESTIONS = 4 * PLACES;

/** Compares numbers of documents, and contents over the range of identifiers: `reindex_differs`. */
export async function compareIndices(
  admin: IndexAdmin,
  comparison: Comparison,
): Promise<{ readonly compared: number }> {
  const { source, target, allowMissing } = comparison;
  const [from, to] = [await documentsOf(admin, source), await documentsOf(admin, target)];
  const missing = allowMissing ? Math.max(0, from - to) : 0;
  if (from !== to + missing) throw differs(comparison, `it has ${to} documents, ${source} has ${from}`);
  /** Places may lie near each other. */
  const compared = new Set<string>();
  const absent = new Set<string>();
  for (const after of await placesIn(admin, source, comparison.signal)) {
    comparison.signal.throwIfAborted();
    const expected = await documentsAfter(admin, source, after, DOCUMENTS);
    const found = new Map(
      (await documentsAfter(admin, target, after, DOCUMENTS)).map(({ id, document }) => [id, document]),
    );
    for (const { id, document } of expected) {
      compared.add(id);
      if (isDeepStrictEqual(found.get(id), document)) continue;
      if (!found.has(id)) absent.add(id);
      if (found.has(id) || absent.size > missing) throw differs(comparison, `the document ${id} is not the same`);
    }
  }
  return { compared: compared.size };
}

function differs({ source, target }: Comparison, how: string): Conflict {
  return new Conflict('reindex_differs', `${target} is not an exact copy of ${source}: ${how}.`);
}

async function documentsOf(admin: IndexAdmin, index: string): Promise<number> {
  return (await admin.list(index))[0]?.documents ?? 0;
}

async function documentsAfter(admin: IndexAdmin, index: string, after: string | undefined, count: number) {
  for await (const batch of admin.scan(index, { batch: count, ...(after === undefined ? {} : { after }) }))
    return batch;
  return [];
}

/** Returns sampling positions: the beginning, then middles of the widest unsampled range. */
async function placesIn(
  admin: IndexAdmin,
  index: string,
  signal: AbortSignal,
): Promise<readonly (string | undefined)[]> {
  const places: (string | undefined)[] = [undefined];
  const [first] = await documentsAfter(admin, index, undefined, 1);
  const ranges: { readonly from: string; readonly to: string | undefined }[] = first
    ? [{ from: first.id, to: undefined }]
    : [];
  for (let question = 0; question < MAX_QUESTIONS && places.length < PLACES; question += 1) {
    signal.throwIfAborted();
    // The oldest range is the widest, or nearly so.
    const range = ranges.shift();
    if (!range) break;
    const middle = textBetween(range.from, range.to);
    if (middle === undefined) continue;
    const [next] = await documentsAfter(admin, index, middle, 1);
    if (next === undefined || (range.to !== undefined && next.id >= range.to)) {
      ranges.push({ from: range.from, to: middle });
      continue;
    }
    places.push(middle);
    ranges.push({ from: range.from, to: middle }, { from: next.id, to: range.to });
  }
  return places;
}

/** Identifiers are made of printable ASCII nearly always; others are found, only less evenly. */
const FIRST = 0x20;
const LAST = 0x7e;
const MAX_LENGTH = 64;

/** Returns a string about midway between two others; undefined when none of reasonable length is. */
function textBetween(from: string, to: string | undefined): string | undefined {
  let text = '';
  let bounded = to !== undefined;
  for (let at = 0; at < MAX_LENGTH; at += 1) {
    const low = at < from.length ? clamp(from.charCodeAt(at)) : FIRST - 1;
    const high = bounded && to !== undefined ? (at < to.length ? clamp(to.charCodeAt(at)) : FIRST - 1) : LAST + 1;
    if (high - low > 1) return text + String.fromCharCode(low + Math.floor((high - low) / 2));
    if (high < low) return undefined;
    // Nothing fits between the two here: go on below the lower one.
    if (low < FIRST) return undefined;
    text += String.fromCharCode(low);
    if (high > low) bounded = false;
  }
  return undefined;
}

function clamp(unit: number): number {
  return Math.min(LAST, Math.max(FIRST, unit));
}
