import { InvalidInput } from '../../../errors/errors.ts';
import type { ValueContent } from '../field-spec.ts';
import { nestingExceeds } from './python-text.ts';

/** The functions of the classification engine that reading uses; `ClassificationEngine` implements it. */
export interface ClassificationRules {
  /** The unrestricted classification. */
  readonly unrestricted: string;
  /** @throws InvalidInput */
  normalise(text: string, options: { readonly skipAutoSelect: boolean }): string;
}

/** The context of reading, in addition to the definition. */
export interface ReadContext {
  readonly now: Date;
  readonly classification: ClassificationRules | undefined;
  /** Keys that an object does not have are an error. */
  readonly unknownRefused: boolean;
  /** The document that is changed; undefined: a new one is read. */
  readonly stored: unknown;
  /** Dotted paths of what was sent and has no place in the definition. */
  readonly strays: string[];
  /** Dotted paths of deprecated fields that were sent. */
  readonly deprecated: string[];
}

/** The path of a value, and the treatment of missing and empty values by its field. */
export interface ValuePlace {
  /** For error texts: `hit.howler.score`. */
  readonly path: string;
  /** From the document's root: `howler.score`. */
  readonly dotted: string;
  readonly optional: boolean;
  readonly emptyRefused: boolean;
  readonly default: unknown;
}

/**
 * Reads one value that was sent.
 * `undefined`: the field stays absent. @throws InvalidInput `invalid_document`
 */
export type ValueReader = (value: unknown, context: ReadContext) => unknown;

/** Objects and lists may lie this deep inside each other where the definition does not bound it. */
export const DEEPEST_NESTING = 100;

export function invalid(path: string, message: string): InvalidInput {
  return new InvalidInput('invalid_document', message, { at: path });
}

/** Makes the reader of a value of one type. */
export type ValueReaderMaker = (content: ValueContent, place: ValuePlace) => ValueReader;

/** Nothing at all. */
export const isEmptyText = (value: unknown) => value === '' || value === null;
/** Nothing, in the clients' language. */
export const isFalsy = (value: unknown): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Returns the replacement of an empty value: the default or absence.
 * @throws InvalidInput if neither is allowed
 */
export function emptyValue(place: ValuePlace, message = ' Empty strings are not allowed without defaults'): unknown {
  if (place.default !== undefined) return place.default;
  if (place.optional && !place.emptyRefused) return undefined;
  throw invalid(place.path, `[${place.path}]${message}`);
}

/** @throws InvalidInput, for nesting that could exhaust the stack */
export function boundNesting(value: unknown, path: string): void {
  if (nestingExceeds(value, DEEPEST_NESTING)) {
    throw invalid(path, `[${path}]: Objects and lists lie more than ${DEEPEST_NESTING} deep inside each other.`);
  }
}
