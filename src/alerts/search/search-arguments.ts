import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';

/** Arguments of a search request, as they came: JSON values of a body, or texts and lists of texts of a query string. */
export class SearchArguments {
  readonly #values: Readonly<Record<string, unknown>>;

  /** @throws InvalidInput `invalid_body`, when the body is JSON and no object */
  constructor(method: string, query: unknown, body: unknown) {
    if (method !== 'POST') this.#values = isObject(query) ? query : {};
    // The public system reads a body that is absent or no JSON as a search for everything.
    else if (body === undefined || body === null) this.#values = { query: '*:*' };
    else if (isObject(body)) this.#values = body;
    else
      throw new InvalidInput(
        'invalid_body',
        `Invalid data format: the body must be a JSON object, not ${kindOf(body)}.`,
      );
  }

  /** Whether the argument came, and not as null. */
  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  /** A text; numbers and booleans count as their text, and the last of several counts. Empty: undefined. */
  text(name: string): string | undefined {
    const value = this.#single(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
    throw wrongKind(name, 'a string', value);
  }

  /** A text that has to be there. */
  requiredQuery(): string {
    const query = this.text('query');
    if (query === undefined) throw new InvalidInput('query_missing', 'There was no search query.', { at: 'query' });
    return query;
  }

  /**
   * A whole number, also as text. @throws InvalidInput `invalid_number` naming the argument and the limits
   */
  integer(name: string, limits: { readonly min: number; readonly max: number }): number | undefined {
    const value = this.#single(name);
    if (value === undefined || value === '') return undefined;
    const number = typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number)) throw wrongKind(name, 'a whole number', value);
    if (number < limits.min || number > limits.max) {
      throw new InvalidInput(
        'number_out_of_range',
        `The argument ${name} is ${number}; it must lie between ${limits.min} and ${limits.max}.`,
        { at: name },
      );
    }
    return number;
  }

  /** A whole number or a string. */
  numberOrText(name: string): number | string | undefined {
    const value = this.#single(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'string') return value;
    throw wrongKind(name, 'a number or a string', value);
  }

  /** True unless absent, false, 0 or one of the texts `false`, `0`, `no`. */
  flag(name: string): boolean {
    const value = this.#single(name);
    if (typeof value === 'string') return !['', 'false', '0', 'no'].includes(value.trim().toLowerCase());
    return Boolean(value);
  }

  /** A list of texts; one text counts as a list of one. */
  texts(name: string): readonly string[] | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const items = Array.isArray(value) ? value : [value];
    return items.map((item, index) => {
      if (typeof item === 'string') return item;
      if (typeof item === 'number' || typeof item === 'bigint' || typeof item === 'boolean') return String(item);
      throw wrongKind(Array.isArray(value) ? `${name}.${index}` : name, 'a string', item);
    });
  }

  #single(name: string): unknown {
    const value = this.#value(name);
    // Several of a kind occur in query strings alone; there the last one counts.
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.at(-1) : value;
  }

  #value(name: string): unknown {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
    return value === null ? undefined : value;
  }
}

function wrongKind(name: string, wanted: string, value: unknown): InvalidInput {
  const shown = typeof value === 'string' ? `'${value.slice(0, 100)}'` : kindOf(value);
  return new InvalidInput('wrong_argument_kind', `The argument ${name} must be ${wanted}, not ${shown}.`, { at: name });
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
