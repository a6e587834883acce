import type { ClassificationEngine } from '../../classification/classification.ts';
import { isObject } from '../../json/json-object.ts';
import { type Annotation, readAnnotation } from './annotation.ts';
import { present } from './json-record.ts';
import { type ModelContext, type ModelFields, type ModelReading, problem, readRecord } from './model-reading.ts';

/** One thing that a source knows of a value. */
export interface QueryEntry {
  readonly classification: string;
  /** Matches that the source found. */
  readonly count: number;
  readonly link?: string | undefined;
  readonly annotations: readonly Annotation[];
  readonly raw_data?: unknown;
}

/** Everything that one source answers for one value. */
export interface QueryResult {
  readonly type: string;
  readonly value: string;
  readonly source: string;
  readonly error?: string | undefined;
  /** Entries; as the source sent them when it is a production source. */
  readonly items: readonly (QueryEntry | Readonly<Record<string, unknown>>)[];
  readonly maintainer?: string | undefined;
  readonly datahub_link?: string | undefined;
  readonly documentation_link?: string | undefined;
  /** Milliseconds that the source took. */
  readonly latency: number;
}

/** The part of a result that a source may send itself: items, an error, and other names than its own. */
export interface SentResult
  extends Pick<QueryResult, 'error' | 'items' | 'maintainer' | 'datahub_link' | 'documentation_link'> {
  readonly type?: string | undefined;
  readonly value?: string | undefined;
  readonly source?: string | undefined;
}

/** Reads one entry. An absent classification is `TLP:CLEAR`, or unrestricted where that is unknown. */
export function readQueryEntry(value: unknown, context: ModelContext): ModelReading<QueryEntry> {
  return readRecord(value, (fields) => {
    const entry: QueryEntry = {
      classification: fields.classification('classification', context, defaultClassification(context.engine)),
      count: fields.integer('count', 1),
      link: fields.optionalLink('link'),
      annotations: fields.list('annotations', readAnnotation),
      raw_data: fields.raw('raw_data') ?? undefined,
    };
    return fields.done(() => present(entry));
  });
}

/** Reads the answer of a single lookup: entries, one, or null. Problems have places below the entry. */
export function readSingleAnswer(value: unknown, context: ModelContext): ModelReading<readonly QueryEntry[]> {
  if (value === null || value === undefined) return { ok: [] };
  const entries: QueryEntry[] = [];
  for (const one of Array.isArray(value) ? value : [value]) {
    const reading = readQueryEntry(one, context);
    if ('problems' in reading) return reading;
    entries.push(reading.ok);
  }
  return { ok: entries };
}

/** Reads one value of a bulk answer. Problems have places below it, for example `items.[0].link`. */
export function readBulkEntry(value: unknown, context: ModelContext): ModelReading<SentResult> {
  return readRecord(value, (fields) => {
    const result: SentResult = {
      type: fields.optionalString('type'),
      value: fields.optionalString('value'),
      source: fields.optionalString('source'),
      error: fields.optionalString('error'),
      items: fields.list('items', (item) => readQueryEntry(item, context)),
      maintainer: maintainerOf(fields),
      datahub_link: fields.optionalLink('datahub_link'),
      documentation_link: fields.optionalLink('documentation_link'),
    };
    return fields.done(() => present(result));
  });
}

const SENT_STRINGS = ['type', 'value', 'source', 'error', 'maintainer', 'datahub_link', 'documentation_link'] as const;

/** Takes what a production source sends for one value of a bulk answer as it is; items must be objects. */
export function passBulkEntry(value: unknown): ModelReading<SentResult> {
  if (!isObject(value)) return problem('must be an object');
  const strings = Object.fromEntries(
    SENT_STRINGS.flatMap((name) => (typeof value[name] === 'string' ? [[name, value[name]]] : [])),
  );
  return { ok: { ...strings, items: passItems(value.items) } };
}

/** Takes the items of a production source as they are, without those that are not objects. */
export function passItems(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

/**
 * Returns the items that a user with this clearance may see.
 * All users see an item without a classification, and none sees one with a classification of another definition.
 */
export function accessibleItems(
  items: QueryResult['items'],
  clearance: string,
  engine: ClassificationEngine,
): QueryResult['items'] {
  const isVisible = ({ classification }: (typeof items)[number]) =>
    classification === undefined ||
    classification === null ||
    (typeof classification === 'string' && engine.isAccessible(clearance, classification, true)) ||
    !engine.enforce;
  return items.every(isVisible) ? items : items.filter(isVisible);
}

/**
 * Defaults by engine: validating one costs a fifth of a bulk lookup where the public default is
 * unknown.
 */
const defaults = new WeakMap<ClassificationEngine, string>();

function defaultClassification(engine: ClassificationEngine): string {
  let known = defaults.get(engine);
  if (known === undefined) {
    known = engine.isValid(PUBLIC_DEFAULT) ? PUBLIC_DEFAULT : engine.unrestricted;
    defaults.set(engine, known);
  }
  return known;
}

/** The classification of an entry that has none, in the public system. */
const PUBLIC_DEFAULT = 'TLP:CLEAR';

function maintainerOf(fields: ModelFields): string | undefined {
  const maintainer = fields.optionalString('maintainer');
  if (maintainer && !/^[^<>]*[^<>\s][^<>]*<[^<>@\s]+@[^<>@\s]+>$/.test(maintainer)) {
    fields.reject('maintainer', 'must have the form Name <address> of RFC 5322');
  }
  return maintainer;
}
