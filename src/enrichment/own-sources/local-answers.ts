import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Annotation } from '../models/annotation.ts';
import type { LookupFlags, SourceCall, SourceSelector } from '../sources/source-client.ts';

/** An annotation as a source writes it; what is left out has its default. */
export type WrittenAnnotation = Pick<Annotation, 'type' | 'value' | 'confidence' | 'summary'> & Partial<Annotation>;

/** All that a source in this process knows of one value, without a classification of its own. */
export interface LocalEntry {
  readonly annotations: readonly WrittenAnnotation[];
  /** Matches that the source found. Default: 1. */
  readonly count?: number;
  readonly link?: string | undefined;
  /** Is left out unless the caller wants it. */
  readonly rawData?: unknown;
}

export interface LocalAnswerOptions {
  readonly flags: LookupFlags;
  readonly call: Pick<SourceCall, 'signal'>;
  /** Classification of the items. */
  readonly classification: string;
  /** Returns undefined where nothing is known of a value. */
  readonly describe: (type: string, value: string) => LocalEntry | undefined;
}

/** Milliseconds of work after which a lookup yields to the event loop. */
const BUDGET = 5;
/** Longest value of an annotation in characters: clients lose longer ones. */
const MAX_VALUE_LENGTH = 1_000;

/**
 * Answers a lookup from memory, one item for each value of which something is known. Yields to the
 * event loop every 5 ms, and ends when the call does.
 */
export async function answerLocally(
  selectors: readonly SourceSelector[],
  { flags, call, classification, describe }: LocalAnswerOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const answer: Record<string, Record<string, unknown>> = Object.create(null);
  let began = performance.now();
  for (const { type, value } of selectors) {
    if (performance.now() - began > BUDGET) {
      await nextTurn();
      call.signal.throwIfAborted();
      began = performance.now();
    }
    const entry = flags.limit < 1 ? undefined : describe(type, value);
    if (entry === undefined) continue;
    const { annotations, count = 1, link, rawData } = entry;
    const item = {
      classification,
      count,
      ...(link === undefined ? {} : { link }),
      annotations: flags.noAnnotation ? [] : annotations.map(bounded),
      ...(flags.includeRaw && rawData !== undefined ? { raw_data: rawData } : {}),
    };
    answer[type] ??= Object.create(null) as Record<string, unknown>;
    answer[type][value] = { items: [item] };
  }
  return answer;
}

function bounded(annotation: WrittenAnnotation): WrittenAnnotation {
  const { value } = annotation;
  return typeof value === 'string' && value.length > MAX_VALUE_LENGTH
    ? { ...annotation, value: excerpt(value, MAX_VALUE_LENGTH) }
    : annotation;
}

/** Returns the beginning of a string from outside, without control and direction characters. */
export function excerpt(text: string, length = 100): string {
  const shown = text
    .slice(0, length)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');
  return text.length > length ? `${shown}…` : shown;
}
