import { InvalidInput, NotFound } from '../../errors/errors.ts';
import { describeProblems } from '../models/model-reading.ts';
import {
  exceededValueLimit,
  NOT_JSON,
  normalisedType,
  readSelector,
  type Selector,
  type SelectorContext,
} from '../models/selector.ts';

/** Selectors of one request. */
export const MAX_SELECTORS = 5_000;

const WRONG_FORMAT = 'Request data is not in the correct format';

/**
 * Reads the body of a bulk lookup. Equal selectors count once.
 * @throws InvalidInput `invalid_selectors`, `no_selectors`, `too_many_selectors`, `value_too_long`
 */
export function readSelectors(body: unknown, context: SelectorContext): readonly Selector[] {
  if (!Array.isArray(body)) throw new InvalidInput('invalid_selectors', WRONG_FORMAT);
  if (body.length === 0) throw new InvalidInput('no_selectors', 'You must provide at least one value to lookup.');
  if (body.length > MAX_SELECTORS) {
    throw new InvalidInput(
      'too_many_selectors',
      `A lookup takes at most ${MAX_SELECTORS} selectors, not ${body.length}. Send them in several requests.`,
    );
  }
  const selectors = new Map<string, Selector>();
  for (const [index, one] of body.entries()) {
    const reading = readSelector(one, context);
    if ('problems' in reading) {
      const [first] = reading.problems;
      const message = `${WRONG_FORMAT}: ${describeProblems(reading.problems)}`;
      throw new InvalidInput('invalid_selectors', message, { at: `[${index}]${first?.at ? `.${first.at}` : ''}` });
    }
    const { type, value, classification, sources } = reading.ok;
    assertValueLength(type, value, `[${index}].value`);
    // Most selectors of a request share the sources of the query.
    const names = sources === context.sources ? '' : JSON.stringify(sources);
    const key = `${type}\n${classification}\n${names}\n${value}`;
    if (!selectors.has(key)) selectors.set(key, reading.ok);
  }
  return [...selectors.values()];
}

/** A selector of a path, and its value as answers repeat it. */
export interface PathSelector {
  readonly selector: Selector;
  readonly writtenValue: string;
}

/**
 * Reads the type and the value of a path.
 * Clients encode the value twice, and the server has decoded it once; types with a namespace have a slash. As in the public system, values but those of
 * telemetry are written in lower case, and the answer repeats the encoded form.
 * @param path of the request, for the refusal of a value that was encoded once and has a slash
 * @throws NotFound `unknown_path`; InvalidInput `invalid_selectors`, `value_too_long`
 */
export function readPathSelector(
  parts: { readonly type: string; readonly value: string; readonly path: string },
  context: SelectorContext,
): PathSelector {
  if (parts.value.includes('/')) {
    throw new NotFound('unknown_path', `Api does not exist (${decoded(parts.path)})`);
  }
  const type = normalisedType(decoded(parts.type));
  const isTelemetry = type === 'telemetry';
  const once = isTelemetry ? parts.value : parts.value.toLowerCase();
  const value = isTelemetry ? decoded(once) : decoded(once).toLowerCase();
  assertValueLength(type, value, 'value');
  const reading = readSelector({ type, value }, context);
  if ('problems' in reading) {
    const isText = reading.problems.every(({ at }) => at === '');
    const reason = isText ? (reading.problems[0]?.reason ?? '') : describeProblems(reading.problems);
    const message = reason === NOT_JSON ? NOT_JSON : `${WRONG_FORMAT}: ${reason}`;
    throw new InvalidInput('invalid_selectors', message, { at: reading.problems[0]?.at });
  }
  return { selector: reading.ok, writtenValue: encodedOnce(once) };
}

/** @throws InvalidInput `value_too_long` */
function assertValueLength(type: string, value: string, at: string): void {
  const limit = exceededValueLimit(type, value);
  if (limit === undefined) return;
  throw new InvalidInput('value_too_long', `A value of type "${type.slice(0, 50)}" has at most ${limit} bytes.`, {
    at,
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes everything but letters, digits and `_.-~`, as the public system does. */
function encodedOnce(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
