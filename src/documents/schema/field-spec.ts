import type { ClassificationEngine } from '../../classification/classification.ts';
import type { FieldTraits, FieldTypeName } from './field-types.ts';

/** The description of a field, from which reading, output, mapping and schema are derived. */
export interface FieldSpec extends FieldTraits {
  readonly content: ValueContent | MappingContent | GroupContent;
  /** True if an optional field rejects an empty string instead of treating it as absent. */
  readonly emptyRefused: boolean;
  /** Taken when the value is missing. `undefined`: none. */
  readonly default: unknown;
  /** No search may reach it. */
  readonly secret: boolean;
  /** Answers leave it out when it is absent, instead of showing null or its default. */
  readonly leftOut: boolean;
}

/** One value, or each item of a list of values. */
export interface ValueContent {
  readonly kind: 'value';
  readonly type: Exclude<FieldTypeName, 'mapping'>;
  /** Allowed values of an enum, in the order in which people should see them. */
  readonly values: readonly string[] | undefined;
  /** Source of the regular expression a value must match from its first character on. */
  readonly regex: string | undefined;
  /** Least number. */
  readonly minimum: number | undefined;
  /** True if the value is converted to lower case. */
  readonly lowerCased: boolean;
  /** True if the value is converted to upper case. */
  readonly upperCased: boolean;
  /** Only JSON strings are taken: numbers and booleans are not turned into text. */
  readonly textOnly: boolean;
  /** Classification of a person (what they may see) instead of a document. */
  readonly ofUser: boolean;
}

/** `{key: value}` with keys that the sender chooses. */
export interface MappingContent {
  readonly kind: 'mapping';
  readonly item: FieldSpec;
  /** Allowed keys; undefined: those of the public alert service. */
  readonly keys: RegExp | undefined;
}

/** An object with known fields. */
export interface GroupContent {
  readonly kind: 'group';
  /** Name of the model, in error texts and schemas: `Comment`. */
  readonly name: string;
  /** In the order in which they are read and checked. */
  readonly fields: Readonly<Record<string, FieldSpec>>;
  /** Checks between fields, before the fields themselves are read. */
  readonly rule: GroupRule | undefined;
}

/** Returns what to read instead of an object as sent, usually itself; throws `invalid_document`. */
export type GroupRule = (input: Readonly<Record<string, unknown>>, path: string) => Readonly<Record<string, unknown>>;

/** Allows every key of a mapping. */
export const ANY_KEY = /^/;

/** Default of a date: the time of reading. */
export const NOW = 'NOW';
/** Default of an identifier: a new one each time. */
export const NEW_ID: unique symbol = Symbol('new id');
/** Default of a classification: the unrestricted one of the installation's definition. */
export const UNRESTRICTED: unique symbol = Symbol('unrestricted');

/** The part of the classification engine that reading uses. */
export type ClassificationRules = Pick<ClassificationEngine, 'unrestricted' | 'normalise'>;

/** The context of reading, in addition to the definition. */
export interface ReadContext {
  readonly now: Date;
  readonly classification: ClassificationRules | undefined;
  /** A single value stands for a list of it. */
  readonly singleValuesTaken: boolean;
  /** Text may hold the character NUL. */
  readonly nulKept: boolean;
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

/** Reads one value; undefined: the field stays absent. Throws InvalidInput `invalid_document`. */
export type ValueReader = (value: unknown, context: ReadContext) => unknown;

/** Makes the reader of a value of one type. */
export type ValueReaderMaker = (content: ValueContent, place: ValuePlace) => ValueReader;
