import { isObject } from '../../../../json/json-object.ts';
import { type ListDetails, type ListEntry, ListProblem } from '../../list-entry.ts';
import type { FormatContext } from '../format-reader.ts';
import { jsonParts } from '../json/json-parts.ts';
import type { JsonShape } from '../json/json-scanner.ts';
import { confidenceOf, detailsFrom, isoTime, shortened } from '../list-details.ts';
import { STRICTEST, strictestMarking } from '../markings.ts';
import { readStixPattern } from './stix-pattern.ts';
import { TLP_DEFINITIONS, tlpOf } from './stix-tlp.ts';

type StixObject = Readonly<Record<string, unknown>>;

/** Bundles (STIX 2.1 section 8) and the pages of collections (TAXII 2.1 section 3.7). */
const SHAPE: JsonShape = { type: 'type', objects: { '[]': 'object', '}': 'objects' } };

/**
 * Maximum number of indicators that wait for an author or a marking that follows them. Further ones
 * are read without it.
 */
const MAX_WAITING = 20_000;
const MAX_WAITING_BYTES = 32 * 1024 ** 2;
const MAX_IDENTIFIER = 200;
const MAX_REFERENCES = 1000;
/** Types of indicators (section 10.9) → opinion, the worst first. */
const OPINIONS = [
  ['malicious-activity', 'malicious'],
  ['compromised', 'suspicious'],
  ['anomalous-activity', 'suspicious'],
  ['anonymization', 'obscure'],
  ['benign', 'benign'],
] as const;

/**
 * Reads the indicators whose pattern is one comparison, with their markings, validity, author and
 * kill chain. Markings that are not known, and those of parts of an indicator, count as the
 * strictest.
 */
export async function* readStix({ document, signal, leftOut }: FormatContext): AsyncGenerator<readonly ListEntry[]> {
  const definitions = new Definitions();
  let waiting: StixObject[] = [];
  let waitingBytes = 0;
  let isBundle = false;
  const onTooLarge = () => leftOut.add('is larger than 1 MB');
  const read = (indicator: StixObject, entries: ListEntry[]): void => {
    const entry = entryOf(indicator, definitions);
    if (typeof entry === 'string') leftOut.add(entry);
    else entries.push(entry);
  };
  for await (const parts of jsonParts(document, SHAPE, { signal, onTooLarge })) {
    const entries: ListEntry[] = [];
    for (const { name, value, bytes } of parts) {
      if (name === 'objects' || (name === 'type' && value === 'bundle')) isBundle = true;
      if (name !== 'object') continue;
      if (!isObject(value)) leftOut.add('is not a STIX object');
      else if (definitions.add(value)) continue;
      else if (value.type !== 'indicator') leftOut.add('is not an indicator');
      else if (value.revoked === true) leftOut.addIntended('is revoked');
      else if (waiting.length < MAX_WAITING && waitingBytes < MAX_WAITING_BYTES && definitions.areMissing(value)) {
        waiting.push(value);
        waitingBytes += bytes;
      } else read(value, entries);
    }
    if (entries.length > 0) yield entries;
  }
  if (!isBundle) throw new ListProblem(document.place, 'it is not a STIX bundle: it has no list of objects');
  for (; waiting.length > 0; waiting = waiting.slice(1000)) {
    const entries: ListEntry[] = [];
    for (const indicator of waiting.slice(0, 1000)) read(indicator, entries);
    if (entries.length > 0) yield entries;
  }
}

/** Names of authors and markings by identifier, as far as they have been read. */
class Definitions {
  readonly #authors = new Map<string, string>();
  readonly #markings = new Map<unknown, string | undefined>(TLP_DEFINITIONS);

  /** Returns whether an object defines an author or a marking, which are kept. */
  add(object: StixObject): boolean {
    const { type, id, name } = object;
    if (type !== 'identity' && type !== 'marking-definition') return type === 'extension-definition';
    if (
      typeof id !== 'string' ||
      id.length > MAX_IDENTIFIER ||
      this.#authors.size + this.#markings.size >= MAX_DEFINITIONS
    )
      return true;
    if (type === 'marking-definition') {
      if (!TLP_DEFINITIONS.has(id)) this.#markings.set(id, tlpOf(object));
    } else if (typeof name === 'string') this.#authors.set(id, shortened(name) ?? id);
    return true;
  }

  /** Returns whether an indicator names an author or a marking that has not been read. */
  areMissing(indicator: StixObject): boolean {
    const author = indicator.created_by_ref;
    if (typeof author === 'string' && !this.#authors.has(author)) return true;
    return markingReferences(indicator).some((reference) => !this.#markings.has(reference));
  }

  authorOf({ created_by_ref: author }: StixObject): string | undefined {
    return typeof author === 'string' ? (this.#authors.get(author) ?? author) : undefined;
  }

  markingOf(indicator: StixObject): string | undefined {
    const markings = markingReferences(indicator).flatMap((reference) =>
      this.#markings.has(reference) ? (this.#markings.get(reference) ?? []) : STRICTEST,
    );
    return strictestMarking(markings);
  }
}

/** Authors and markings that are kept: a bundle has a few. */
const MAX_DEFINITIONS = 50_000;

/** Returns all markings of an indicator and of its parts: leaving one out could show too much. */
function markingReferences(indicator: StixObject): readonly unknown[] {
  const { object_marking_refs: whole, granular_markings: parts } = indicator;
  const ofParts = Array.isArray(parts) ? parts.map((part: unknown) => (isObject(part) ? part.marking_ref : part)) : [];
  return [...(Array.isArray(whole) ? whole : []), ...ofParts.filter((reference) => reference !== undefined)];
}

/** Returns the entry of an indicator, or why there is none. */
function entryOf(indicator: StixObject, definitions: Definitions): ListEntry | string {
  const { pattern, pattern_type: language = 'stix' } = indicator;
  if (typeof pattern !== 'string') return 'has no pattern';
  if (language !== 'stix') return 'has a pattern of another language';
  const value = readStixPattern(pattern);
  if (value === undefined) return 'has a pattern that is not one comparison of a known property';
  return {
    match: value.isNetwork ? 'cidr' : 'exact',
    type: value.type,
    value: value.value,
    marking: definitions.markingOf(indicator),
    details: detailsOf(indicator, definitions.authorOf(indicator)),
  };
}

function detailsOf(indicator: StixObject, author: string | undefined): ListDetails | undefined {
  // In STIX 2.0 the labels say what is indicated.
  const types = new Set([...stringsOf(indicator.indicator_types), ...stringsOf(indicator.labels)]);
  const confidence = confidenceOf(indicator.confidence);
  const { name, description } = indicator;
  return detailsFrom({
    opinion: OPINIONS.find(([type]) => types.has(type))?.[1],
    // Confidence is 0 to 100 in STIX, so that 1 is one hundredth.
    confidence: indicator.confidence === 1 ? 0.01 : confidence,
    author,
    tags: stringsOf(indicator.labels),
    killChain: recordsOf(indicator.kill_chain_phases).map(
      ({ kill_chain_name: chain, phase_name: phase }) => `${String(chain)}:${String(phase)}`,
    ),
    validFrom: isoTime(indicator.valid_from),
    validUntil: isoTime(indicator.valid_until),
    summary: typeof name === 'string' ? name : typeof description === 'string' ? description : undefined,
    link: recordsOf(indicator.external_references).flatMap(({ url }) => (typeof url === 'string' ? [url] : []))[0],
  });
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.slice(0, MAX_REFERENCES).filter((one) => typeof one === 'string') : [];
}

function recordsOf(value: unknown): readonly StixObject[] {
  return Array.isArray(value) ? value.slice(0, MAX_REFERENCES).filter(isObject) : [];
}
