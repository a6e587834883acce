import { randomFillSync } from 'node:crypto';
import type { ReadContext, ValueContent, ValuePlace, ValueReader, ValueReaderMaker } from '../field-spec.ts';
import { NEW_ID, UNRESTRICTED } from '../field-spec.ts';
import { boundNesting, invalid, isFalsy, isObject } from '../plain-objects.ts';
import { readDate, UnreadableDate } from './date-values.ts';
import { emailDomain, hasKnownTopLevel, isDomain, uriParts } from './internet-names.ts';
import { floatMaker, integerMaker } from './number-values.ts';
import { regexOf, URI_REGEX } from './patterns.ts';
import { pythonRepr, pythonText } from './python-text.ts';

/** Makes the reader of one value. */
export function valueReader(content: ValueContent, place: ValuePlace): ValueReader {
  return MAKERS[content.type](content, place);
}

const keywordMaker: ValueReaderMaker = (content, place) => {
  if (content.regex !== undefined) return patternMaker(content, place);
  const { path } = place;
  return (value, context) => {
    if (value === '') return emptyValue(place);
    if (value === null) return place.optional ? undefined : emptyValue(place);
    if (content.textOnly && typeof value !== 'string') {
      throw invalid(path, `[${path}] Provided value is not a string, and coerce is set to false`);
    }
    const text = asText(value, place, context);
    if (content.upperCased) return text.toUpperCase();
    return content.lowerCased ? text.toLowerCase() : text;
  };
};

const textMaker: ValueReaderMaker = (_content, place) => (value, context) => {
  if (value === null && place.optional) return undefined;
  if (isFalsy(value)) return emptyValue(place);
  return asText(value, place, context);
};

const identifierMaker: ValueReaderMaker = (_content, place) => (value, context) =>
  value === '' || value === null ? newId() : asText(value, place, context);

const enumMaker: ValueReaderMaker = (content, place) => {
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
    boundNesting(value, path);
    throw invalid(path, `[${path}] ${pythonText(value)} not in the possible values: ${listed}`);
  };
};

const booleanMaker: ValueReaderMaker = (_content, place) => (value) => {
  if (typeof value === 'boolean') return value;
  if (value === null && place.optional) return undefined;
  return !isFalsy(value) && !(typeof value === 'string' && value.toLowerCase() === 'false');
};

const dateMaker: ValueReaderMaker = (_content, place) => {
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
const patternMaker: ValueReaderMaker = (content, place) => {
  const { path } = place;
  const source = regexOf(content) ?? '';
  const pattern = new RegExp(source);
  return (value) => {
    if (isFalsy(value)) return emptyValue(place, ': Empty strings are not allowed without defaults');
    if (typeof value === 'string' && pattern.test(value)) return value;
    boundNesting(value, path);
    throw invalid(path, `[${path}]: '${pythonText(value)}' not match the validator: ${source}`);
  };
};

const addressMaker: ValueReaderMaker = (content, place) => {
  const read = patternMaker(content, place);
  return (value, context) => (isFalsy(value) ? undefined : read(value, context));
};

/** Text that `check` turns into what is stored, or that it refuses with the reason. */
function nameMaker(
  check: (value: string) => { readonly text: string } | { readonly refused: string },
): ValueReaderMaker {
  return (_content, { path }) =>
    (value) => {
      if (isFalsy(value)) return undefined;
      boundNesting(value, path);
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

const classificationMaker: ValueReaderMaker = (content, place) => (value, context) => {
  const rules = context.classification;
  if (rules === undefined) throw new Error(`Reading ${place.path} needs the installation's classification rules.`);
  if (value === null && place.optional) return undefined;
  if (value === UNRESTRICTED || isFalsy(value)) return rules.unrestricted;
  boundNesting(value, place.path);
  return rules.normalise(pythonText(value), { skipAutoSelect: content.ofUser });
};

const jsonMaker: ValueReaderMaker = (_content, place) => (value) => {
  if (value === null && place.optional) return undefined;
  if (typeof value === 'string') return storable(value, place.path);
  boundNesting(value, place.path);
  return JSON.stringify(value);
};

const anyMaker: ValueReaderMaker = (_content, place) => (value) => {
  if (value === null && place.optional) return undefined;
  boundNesting(value, place.path);
  assertStorable(value, place.path);
  return value;
};

/** @throws InvalidInput, for text anywhere inside that no datastore keeps as it is */
function assertStorable(value: unknown, path: string): void {
  if (typeof value === 'string') storable(value, path);
  else if (Array.isArray(value)) for (const one of value) assertStorable(one, path);
  else if (isObject(value)) {
    for (const [key, one] of Object.entries(value)) {
      storable(key, path);
      assertStorable(one, path);
    }
  }
}

const MAKERS: Readonly<Record<ValueContent['type'], ValueReaderMaker>> = {
  keyword: keywordMaker,
  case_insensitive_keyword: keywordMaker,
  text: textMaker,
  uuid: identifierMaker,
  enum: enumMaker,
  boolean: booleanMaker,
  integer: integerMaker(-(2n ** 31n), 2n ** 31n - 1n),
  long: integerMaker(-(2n ** 63n), 2n ** 63n - 1n),
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
  any: anyMaker,
};

/** Returns the replacement of an empty value: the default or absence; throws if neither is allowed. */
function emptyValue(place: ValuePlace, message = ' Empty strings are not allowed without defaults'): unknown {
  if (place.default !== undefined) return place.default;
  if (place.optional && !place.emptyRefused) return undefined;
  throw invalid(place.path, `[${place.path}]${message}`);
}

/** A value that is not text, as text. Objects have no place in a plain field and are noted as strays. */
function asText(value: unknown, place: ValuePlace, context: ReadContext): string {
  if (typeof value === 'string') return storable(value, place.path, context.nulKept);
  boundNesting(value, place.path);
  if (isObject(value)) for (const key of Object.keys(value)) context.strays.push(`${place.dotted}.${key}`);
  return storable(pythonText(value), place.path);
}

/** @throws InvalidInput, for text that no datastore keeps as it is */
function storable(text: string, path: string, nulKept = false): string {
  if (!nulKept && text.includes('\0'))
    throw invalid(path, `[${path}]: The text holds a NUL character, which cannot be stored.`);
  if (!text.isWellFormed()) {
    throw invalid(path, `[${path}]: The text holds half of a surrogate pair, which cannot be stored.`);
  }
  return text;
}

/** The value that a missing field gets; identifiers are made by reading null. */
export function missingValue(fallback: unknown): unknown {
  return fallback === NEW_ID ? null : fallback;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 22 digits of 62 are 131 bits. */
const LENGTH = 22;
/** Largest multiple of 62 below 256: bytes from here on would make some digits likelier. */
const FAIR = 248;

/** Random bytes in stock: asking for a few at a time costs more than all the rest. */
const stock = new Uint8Array(4096);
let used = stock.length;

/** A new identifier: 22 random letters and digits. */
export function newId(): string {
  let id = '';
  while (id.length < LENGTH) {
    if (used === stock.length) {
      randomFillSync(stock);
      used = 0;
    }
    const byte = stock[used] as number;
    used += 1;
    if (byte < FAIR) id += DIGITS.charAt(byte % DIGITS.length);
  }
  return id;
}
