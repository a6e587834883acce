import { InvalidInput } from '../errors/errors.ts';
import { readDate, UnreadableDate } from './date-values.ts';
import type { ValueContent } from './field-spec.ts';
import { NEW_ID, UNRESTRICTED } from './field-spec.ts';
import { emailDomain, hasKnownTopLevel, isDomain, uriParts } from './internet-names.ts';
import { newId } from './new-id.ts';
import { regexOf, URI_REGEX } from './patterns.ts';
import { nestingExceeds, pythonRepr, pythonText, pythonTypeName } from './python-text.ts';

/** What the classification engine does for reading; `ClassificationEngine` is one. */
export interface ClassificationRules {
  /** The classification of what everybody may see. */
  readonly unrestricted: string;
  /** @throws InvalidInput */
  normalise(text: string, options: { readonly skipAutoSelect: boolean }): string;
}

/** What reading depends on besides the definition. */
export interface ReadContext {
  readonly now: Date;
  readonly classification: ClassificationRules | undefined;
  /** Keys that an object does not have are an error. */
  readonly unknownRefused: boolean;
  /** Dotted paths of what was sent and has no place in the definition. */
  readonly strays: string[];
  /** Dotted paths of deprecated fields that were sent. */
  readonly deprecated: string[];
}

/** Where a value stands and what its field says about missing and empty values. */
export interface ValuePlace {
  /** For error texts: `hit.howler.score`. */
  readonly path: string;
  /** From the document's root: `howler.score`. */
  readonly dotted: string;
  readonly optional: boolean;
  readonly emptyRefused: boolean;
  readonly default: unknown;
}

/** Reads one value that was sent. `undefined`: the field stays absent. @throws InvalidInput `invalid_document` */
export type ValueReader = (value: unknown, context: ReadContext) => unknown;

/** Objects and lists may lie this deep inside each other where the definition does not bound it. */
export const DEEPEST_NESTING = 100;

export function invalid(path: string, message: string): InvalidInput {
  return new InvalidInput('invalid_document', message, { at: path });
}

/** Makes the reader of one value. */
export function valueReader(content: ValueContent, place: ValuePlace): ValueReader {
  return MAKERS[content.type](content, place);
}

type Maker = (content: ValueContent, place: ValuePlace) => ValueReader;

const isEmptyText = (value: unknown) => value === '' || value === null;
/** Nothing, in the clients' language. */
const isFalsy = (value: unknown): boolean => !value || (typeof value === 'object' && Object.keys(value).length === 0);

/** What an empty value becomes: the default, absence, or an error. */
function emptyValue(place: ValuePlace, message = ' Empty strings are not allowed without defaults'): unknown {
  if (place.default !== undefined) return place.default;
  if (place.optional && !place.emptyRefused) return undefined;
  throw invalid(place.path, `[${place.path}]${message}`);
}

const keywordMaker: Maker = (content, place) => {
  if (content.regex !== undefined) return patternMaker(content, place);
  const { path } = place;
  return (value, context) => {
    if (typeof value === 'string') {
      if (value === '') return emptyValue(place);
      return content.lowerCased ? storable(value, path).toLowerCase() : storable(value, path);
    }
    if (value === null) return place.optional ? undefined : emptyValue(place);
    if (content.textOnly) {
      throw invalid(path, `[${path}] Provided value is not a string, and coerce is set to false`);
    }
    return asText(value, place, context);
  };
};

const textMaker: Maker = (_content, place) => (value, context) => {
  if (value === null && place.optional) return undefined;
  if (isFalsy(value)) return emptyValue(place);
  return asText(value, place, context);
};

const identifierMaker: Maker = (_content, place) => (value, context) =>
  isEmptyText(value) ? newId() : asText(value, place, context);

const enumMaker: Maker = (content, place) => {
  const { path } = place;
  const values = content.values ?? [];
  const listed = `{${values.map((value) => pythonRepr(value)).join(', ')}}`;
  const known = new Set<unknown>(values);
  return (value) => {
    if (known.has(value)) return value;
    if (value === null && place.optional) return undefined;
    if (isFalsy(value)) {
      if (place.default !== undefined) return place.default;
      if (place.optional && !place.emptyRefused) {
        throw invalid(path, `[${path}] None not in the possible values: ${listed}`);
      }
      throw invalid(path, `[${path}] Empty enums are not allow without defaults`);
    }
    bounded(value, path);
    throw invalid(path, `[${path}] ${pythonText(value)} not in the possible values: ${listed}`);
  };
};

const booleanMaker: Maker = (_content, place) => (value) => {
  if (typeof value === 'boolean') return value;
  if (value === null && place.optional) return undefined;
  return !isFalsy(value) && !(typeof value === 'string' && value.toLowerCase() === 'false');
};

/** Whole numbers between two bounds. */
function wholeNumberMaker(least: bigint, greatest: bigint): Maker {
  return (content, place) => {
    const { path } = place;
    const minimum = content.minimum === undefined ? least : BigInt(content.minimum);
    return (value) => {
      if (value === null || value === '') {
        if (place.default !== undefined) return place.default;
        if (place.optional && (value === null || !place.emptyRefused)) return undefined;
      }
      const number = wholeNumber(value, path);
      if (number < minimum) throw invalid(path, `[${path}]: ${number} is less than minimum value ${minimum}`);
      if (number > greatest) throw invalid(path, `[${path}]: ${number} is greater than maximum value ${greatest}`);
      if (typeof number === 'number') return number;
      const exact = Number(number);
      return Number.isSafeInteger(exact) ? exact : String(number);
    };
  };
}

const WHOLE_NUMBER = /^[+-]?\d+(?:_\d+)*$/;
/** Longer ones are refused unread: turning digits into a number takes more than linear time. */
const MOST_DIGITS = 4300;

function wholeNumber(value: unknown, path: string): number | bigint {
  if (typeof value === 'number') return Math.trunc(value) + 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') {
    throw invalid(
      path,
      `[${path}]: int() argument must be a string, a bytes-like object or a real number, not '${pythonTypeName(value)}'`,
    );
  }
  const digits = value.trim();
  if (digits.length > MOST_DIGITS || !WHOLE_NUMBER.test(digits)) {
    throw invalid(path, `[${path}]: invalid literal for int() with base 10: ${pythonRepr(value)}`);
  }
  const number = BigInt(digits.replaceAll('_', '').replace(/^\+/, ''));
  return number;
}

const DECIMAL = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?$/;
/** Largest finite 32-bit float. */
const GREATEST_FLOAT = 3.4028234663852886e38;

const floatMaker: Maker = (_content, place) => {
  const { path } = place;
  return (value) => {
    if (value === null && place.optional) return undefined;
    let number: number;
    if (typeof value === 'number') number = value;
    else if (isFalsy(value) && place.default !== undefined) return place.default;
    else if (isFalsy(value) && place.optional) return value === false ? 0 : undefined;
    else if (typeof value === 'boolean') number = value ? 1 : 0;
    else if (typeof value !== 'string') {
      throw invalid(
        path,
        `[${path}]: float() argument must be a string or a real number, not '${pythonTypeName(value)}'`,
      );
    } else {
      const digits = value.trim();
      if (!DECIMAL.test(digits)) {
        throw invalid(path, `[${path}]: could not convert string to float: ${pythonRepr(value)}`);
      }
      number = Number(digits.replaceAll('_', ''));
    }
    if (Math.abs(number) > GREATEST_FLOAT) {
      throw invalid(path, `[${path}]: ${pythonRepr(number)} is beyond what a 32-bit number can hold`);
    }
    return number;
  };
};

const dateMaker: Maker = (_content, place) => {
  const { path } = place;
  return (value, context) => {
    if (value === null) return place.default === undefined ? undefined : readDate(place.default, context.now);
    try {
      return readDate(value, context.now);
    } catch (error) {
      if (error instanceof UnreadableDate) throw invalid(path, `[${path}]: ${error.message}`);
      throw error;
    }
  };
};

/** Text that has to match the field's pattern. */
const patternMaker: Maker = (content, place) => {
  const { path } = place;
  const source = regexOf(content) ?? '';
  const pattern = new RegExp(source);
  return (value) => {
    if (isFalsy(value)) return emptyValue(place, ': Empty strings are not allowed without defaults');
    if (typeof value === 'string' && pattern.test(value)) return value;
    bounded(value, path);
    throw invalid(path, `[${path}]: '${pythonText(value)}' not match the validator: ${source}`);
  };
};

const addressMaker: Maker = (content, place) => {
  const read = patternMaker(content, place);
  return (value, context) => (isFalsy(value) ? undefined : read(value, context));
};

/** Text that `check` turns into what is stored, or that it refuses with the reason. */
function nameMaker(check: (value: string) => { readonly text: string } | { readonly refused: string }): Maker {
  return (_content, { path }) =>
    (value) => {
      if (isFalsy(value)) return undefined;
      bounded(value, path);
      const result = check(pythonText(value));
      if ('refused' in result) throw invalid(path, `[${path}] ${result.refused}`);
      return storable(result.text, path);
    };
}

const domainMaker = nameMaker((value) =>
  isDomain(value) ? { text: value.toLowerCase() } : { refused: `'${value}' did not pass validation.` },
);

const emailMaker = nameMaker((value) => {
  const domain = emailDomain(value);
  if (domain === undefined) return { refused: `'${value}' did not pass validation.` };
  if (!hasKnownTopLevel(domain)) return { refused: `'${domain}' in email '${value}' is not a valid Domain.` };
  return { text: value.toLowerCase() };
});

const uriMaker = nameMaker((value) => {
  const parts = uriParts(value);
  if (parts === undefined) return { refused: `'${value}' not match the validator: ${URI_REGEX}` };
  if (!parts.isAddress && !hasKnownTopLevel(parts.host)) {
    return { refused: `'${parts.host}' in URI '${value}' is not a valid Domain or IP.` };
  }
  return { text: parts.start.toLowerCase() + value.slice(parts.start.length) };
});

const classificationMaker: Maker = (content, place) => (value, context) => {
  const rules = context.classification;
  if (rules === undefined) {
    throw new Error(`Reading ${place.path} needs the installation's classification rules.`);
  }
  if (value === null && place.optional) return undefined;
  if (value === UNRESTRICTED || isFalsy(value)) return rules.unrestricted;
  bounded(value, place.path);
  return rules.normalise(pythonText(value), { skipAutoSelect: content.ofUser });
};

const jsonMaker: Maker = (_content, place) => (value) => {
  if (value === null && place.optional) return undefined;
  if (typeof value === 'string') return storable(value, place.path);
  bounded(value, place.path);
  return JSON.stringify(value);
};

const MAKERS: Readonly<Record<ValueContent['type'], Maker>> = {
  keyword: keywordMaker,
  case_insensitive_keyword: keywordMaker,
  text: textMaker,
  uuid: identifierMaker,
  enum: enumMaker,
  boolean: booleanMaker,
  integer: wholeNumberMaker(-(2n ** 31n), 2n ** 31n - 1n),
  long: wholeNumberMaker(-(2n ** 63n), 2n ** 63n - 1n),
  float: floatMaker,
  date: dateMaker,
  ip: addressMaker,
  domain: domainMaker,
  email: emailMaker,
  uri: uriMaker,
  mac: patternMaker,
  md5: patternMaker,
  sha1: patternMaker,
  sha256: patternMaker,
  hash: patternMaker,
  ssdeep: patternMaker,
  classification: classificationMaker,
  json: jsonMaker,
};

/** A value that is not text, as text. Objects have no place in a plain field and are noted as strays. */
function asText(value: unknown, place: ValuePlace, context: ReadContext): string {
  if (typeof value === 'string') return storable(value, place.path);
  bounded(value, place.path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const key of Object.keys(value)) context.strays.push(`${place.dotted}.${key}`);
  }
  return storable(pythonText(value), place.path);
}

/** @throws InvalidInput, for text that no datastore keeps as it is */
function storable(text: string, path: string): string {
  if (text.includes('\0')) throw invalid(path, `[${path}]: The text holds a NUL character, which cannot be stored.`);
  if (!text.isWellFormed()) {
    throw invalid(path, `[${path}]: The text holds half of a surrogate pair, which cannot be stored.`);
  }
  return text;
}

function bounded(value: unknown, path: string): void {
  if (nestingExceeds(value, DEEPEST_NESTING)) {
    throw invalid(path, `[${path}]: Objects and lists lie more than ${DEEPEST_NESTING} deep inside each other.`);
  }
}

/** The value that a missing field gets; identifiers are made by reading null. */
export function missingValue(fallback: unknown): unknown {
  return fallback === NEW_ID ? null : fallback;
}
