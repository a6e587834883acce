/** A number of sixteen digits or more: the shortest that may lie beyond 2^53. Inside a text it may be a false alarm. */
const LONG_NUMBER = /[:[,]\s*-?\d{16}/;
const WHOLE_NUMBER = /^-?\d+$/;

/** JSON as https://tc39.es/proposal-json-parse-with-source/ extends it, which TypeScript does not know yet. */
const JSON_WITH_SOURCE = JSON as unknown as {
  parse(text: string, reviver: typeof keepWhole): unknown;
  rawJSON(text: string): unknown;
};

/** Parses JSON; whole numbers that a number cannot hold become bigint. */
export function parseLossless(text: string): unknown {
  // With a reviver parsing takes several times as long, and hardly any answer needs it.
  return LONG_NUMBER.test(text) ? JSON_WITH_SOURCE.parse(text, keepWhole) : JSON.parse(text);
}

function keepWhole(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const { source } = context;
  return source !== undefined && WHOLE_NUMBER.test(source) ? BigInt(source) : value;
}

/** JSON of a value in which bigint may stand. Whole numbers are written in all their digits, which JSON of JavaScript rounds. */
export function stringifyLossless(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    return LONG_NUMBER.test(text) ? JSON.stringify(value, exactWhole) : text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, exactWhole);
  }
}

/** Beyond it numbers are written with an exponent. */
const MAX_INTEGER_MAGNITUDE = 1e21;

function exactWhole(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return JSON_WITH_SOURCE.rawJSON(value.toString());
  const isRounded =
    typeof value === 'number' &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    Math.abs(value) < MAX_INTEGER_MAGNITUDE;
  return isRounded ? JSON_WITH_SOURCE.rawJSON(BigInt(value).toString()) : value;
}
