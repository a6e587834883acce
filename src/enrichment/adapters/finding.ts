import { readLink } from '../models/link.ts';

/** One statement of a vendor about a value. */
export interface Note {
  /** The subject, after the name of the vendor: `Analysis`. */
  readonly about: string;
  readonly type: 'opinion' | 'context' | 'frequency';
  readonly value: string | number;
  readonly summary: string;
  /** From 0 to 1. Default 1. */
  readonly confidence?: number;
  /** Default 1. */
  readonly quantity?: number;
  /** Markdown. */
  readonly details?: string | undefined;
  readonly link?: string | undefined;
  /** A time as the shape `time` reads it. Default: now. */
  readonly timestamp?: string | undefined;
  readonly icon?: string | undefined;
  /** The value is common and says little. Default false. */
  readonly isCommon?: boolean;
}

/** Everything that a vendor knows of a value, or one of several things. */
export interface Finding {
  /** Default 1. */
  readonly count?: number;
  readonly link?: string | undefined;
  readonly notes: readonly Note[];
  /** The part of the answer that it comes from. */
  readonly raw?: unknown;
  /** Markings of the vendor, such as `TLP:AMBER`. */
  readonly markings?: readonly string[];
}

export interface ItemContext {
  readonly title: string;
  readonly icon: string | undefined;
  readonly noAnnotation: boolean;
  readonly includeRaw: boolean;
  /** Returns the classification of a finding; undefined when no clearance satisfies all markings. */
  readonly classificationOf: (markings: readonly string[]) => string | undefined;
}

const MAX_VALUE = 1_000;
const MAX_SUMMARY = 2_000;
const MAX_DETAILS = 20_000;
/** Number of entries that a list in a summary names. */
const MAX_NAMED = 20;

/**
 * Returns an entry of the protocol, or undefined when no clearance satisfies all markings. Nothing
 * that a vendor writes can make it invalid.
 */
export function itemOf(finding: Finding, context: ItemContext): Readonly<Record<string, unknown>> | undefined {
  const classification = context.classificationOf(finding.markings ?? []);
  if (classification === undefined) return undefined;
  const link = usableLink(finding.link);
  const annotations = context.noAnnotation ? [] : finding.notes.map((note) => annotationOf(note, context, link));
  return {
    classification,
    count: finding.count ?? 1,
    ...(link === undefined ? {} : { link }),
    annotations,
    ...(context.includeRaw && finding.raw !== undefined ? { raw_data: finding.raw } : {}),
  };
}

function annotationOf(note: Note, { title, icon: analyticIcon }: ItemContext, usual: string | undefined) {
  const { type, value, confidence = 1, quantity = 1, details, timestamp, icon, isCommon = false } = note;
  const link = usableLink(note.link) ?? usual;
  return {
    analytic: `${title} - ${note.about}`,
    ...(analyticIcon === undefined ? {} : { analytic_icon: analyticIcon }),
    type,
    value: typeof value === 'string' ? value.slice(0, MAX_VALUE) : value,
    confidence: Math.min(Math.max(confidence, 0), 1),
    quantity,
    summary: note.summary.slice(0, MAX_SUMMARY),
    ...(details === undefined ? {} : { details: details.slice(0, MAX_DETAILS) }),
    ...(link === undefined ? {} : { link }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(icon === undefined ? {} : { icon }),
    ubiquitous: isCommon,
  };
}

function usableLink(value: string | undefined): string | undefined {
  const read = readLink(value);
  return 'link' in read ? read.link : undefined;
}

/** Returns `a, b and 3 more` for a summary. */
export function named(names: Iterable<string>): string {
  const all = [...new Set(names)].filter((name) => name !== '');
  const shown = all.slice(0, MAX_NAMED).join(', ');
  return all.length > MAX_NAMED ? `${shown} and ${all.length - MAX_NAMED} more` : shown;
}

/** Returns the notes that exist, for adapters whose notes depend on optional fields. */
export function present(notes: readonly (Note | undefined | false)[]): readonly Note[] {
  return notes.filter((note) => note !== undefined && note !== false);
}

/** Returns a note of type context; undefined without a value. */
export function contextNote(
  about: string,
  value: string | number | undefined,
  label: string,
  more: Partial<Note> = {},
): Note | undefined {
  if (value === undefined || value === '') return undefined;
  return { about, type: 'context', value: String(value), summary: `${label}: ${value}`, ...more };
}

/** Escapes text of a vendor for details, which are Markdown. */
export function verbatim(text: string | undefined): string | undefined {
  return text === undefined
    ? undefined
    : `\`\`\`text\n${text.slice(0, MAX_DETAILS - 20).replaceAll('```', "'''")}\n\`\`\``;
}

/** Returns the flag of a country for `icon`, if the code is one. */
export function countryIcon(code: string | undefined): string | undefined {
  return code !== undefined && /^[A-Za-z]{2}$/.test(code) ? `flag:${code.toLowerCase()}-4x3` : undefined;
}
