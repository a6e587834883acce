import { randomUUID } from 'node:crypto';

/** `JSON.rawJSON` (https://tc39.es/proposal-json-parse-with-source/), unknown to TypeScript. */
const JSON_WITH_SOURCE = JSON as unknown as { rawJSON(text: string): unknown };

/**
 * Finds most texts without such an integer.
 * Two expressions: one with `^` as an alternative is tried at every position and takes three times as long.
 */
const MAY_HOLD_LONG_INTEGER = /[:[,\s-]\d{16}/;
const MAY_BEGIN_WITH_LONG_INTEGER = /^\d{16}/;
/** An integer of at least sixteen digits, the shortest that can lie beyond 2^53. */
const LONG_INTEGER = /-?[1-9]\d{15,}/g;
/** Digits of an exact integer, as in the public system. Longer ones convert in more than linear time. */
const MAX_DIGITS = 4300;
/** Marks the strings that represent integers during parsing. Callers cannot guess it. */
const MARK = `integer:${randomUUID()}:`;

/**
 * Parses JSON. Integers beyond ±(2^53 - 1), which a number rounds, become bigint.
 * Everything else is as `JSON.parse` reads it. Documents and everything that can hold a value of a document are read with this
 * function. The integers are marked in the text and converted afterwards: a reviver is called for every value, which takes
 * 1.8 s for 4 MiB of small numbers beside one large one (0.2 s with marks).
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  if (!MAY_HOLD_LONG_INTEGER.test(text) && !MAY_BEGIN_WITH_LONG_INTEGER.test(text)) return JSON.parse(text);
  const marked = markLongIntegers(text);
  return marked === text ? JSON.parse(text) : convertMarked(JSON.parse(marked));
}

/** Turns each integer that a number rounds into a marked string, and leaves the rest of the text alone. */
function markLongIntegers(text: string): string {
  let marked = '';
  let copied = 0;
  let insideString = false;
  /** The next quote that begins or ends a string. */
  let quote = indexFrom(text, 0);
  LONG_INTEGER.lastIndex = 0;
  for (let found = LONG_INTEGER.exec(text); found !== null; found = LONG_INTEGER.exec(text)) {
    const [digits] = found;
    const end = found.index + digits.length;
    if (digits.length > MAX_DIGITS || Number.isSafeInteger(Number(digits)) || !isWholeNumber(text, found.index, end)) {
      continue;
    }
    while (quote < found.index) {
      insideString = !insideString;
      quote = insideString ? endOfString(text, quote + 1) : indexFrom(text, quote + 1);
    }
    if (insideString) continue;
    marked += `${text.slice(copied, found.index)}"${MARK}${digits}"`;
    copied = end;
  }
  return copied === 0 ? text : marked + text.slice(copied);
}

/** Returns true when the digits are a value of their own: no part of a fraction, an exponent or a name. */
function isWholeNumber(text: string, start: number, end: number): boolean {
  let before = start - 1;
  while (isSpace(text.charCodeAt(before))) before -= 1;
  let after = end;
  while (isSpace(text.charCodeAt(after))) after += 1;
  return (
    (before < 0 || ':[,'.includes(text.charAt(before))) && (after >= text.length || ',]}'.includes(text.charAt(after)))
  );
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function indexFrom(text: string, from: number): number {
  const found = text.indexOf('"', from);
  return found === -1 ? text.length : found;
}

/** Returns the position of the quote that ends the string, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
  return text.length;
}

/** Replaces marked strings by bigint in place, without recursion, because values may be deeply nested. */
function convertMarked(root: unknown): unknown {
  const holder = [root];
  const pending: object[] = [holder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const members = next as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      const value = members[key];
      if (typeof value === 'object' && value !== null) pending.push(value);
      else if (typeof value === 'string' && value.startsWith(MARK)) members[key] = BigInt(value.slice(MARK.length));
    }
  }
  return holder[0];
}

/**
 * Writes a bigint with all its digits in `JSON.stringify`, in the whole process.
 * Without `toJSON` it throws a TypeError, and a replacer would make each of its calls slower.
 * @see https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/JSON/rawJSON
 */
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint): unknown {
    return JSON_WITH_SOURCE.rawJSON(this.toString());
  },
  configurable: true,
  writable: true,
});

/** Returns an integer as documents and answers hold it: a number where that is exact, else a bigint. */
export function exactInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Adds numbers: integers exactly, as floats with a fraction or beyond 2^53. */
export function addNumbers(left: number | bigint, right: number | bigint): number | bigint {
  if (!isExactInteger(left) || !isExactInteger(right)) return Number(left) + Number(right);
  if (typeof left === 'number' && typeof right === 'number' && Number.isSafeInteger(left + right)) return left + right;
  return exactInteger(BigInt(left) + BigInt(right));
}

function isExactInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}
