import { compareCodePoints } from '../../../datastore/regular-language/code-points.ts';
import { pythonRepr } from '../../../documents/schema/values/python-text.ts';

/**
 * Text of `json.dumps(value)` as the public system makes it for hashes, raw records and log entries, and as its clients make it to
 * look for duplicates: separators `, ` and `: `, everything outside ASCII escaped, whole numbers without a fraction.
 * `sortKeys`: keys in the order of their code points, at every depth; default: as given.
 */
export function pythonJson(value: unknown, options: { readonly sortKeys?: boolean } = {}): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
    case 'bigint':
      return pythonRepr(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object': {
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map((item) => pythonJson(item, options)).join(', ')}]`;
      const members = Object.entries(value);
      if (options.sortKeys) members.sort(([left], [right]) => compareCodePoints(left, right));
      return `{${members.map(([key, member]) => `${quoted(key)}: ${pythonJson(member, options)}`).join(', ')}}`;
    }
    default:
      return 'null';
  }
}

/** JSON.stringify escapes quotes, backslashes and control characters the same way, and leaves the rest. */
function quoted(text: string): string {
  const json = JSON.stringify(text);
  if (!NOT_ASCII.test(json)) return json;
  return json.replace(NOT_ASCII_UNITS, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const NOT_ASCII = /[\u0080-\uffff]/;
const NOT_ASCII_UNITS = /[\u0080-\uffff]/g;
