import { InvalidInput } from '../errors/errors.ts';
import { type InputProblem, wordsOf } from '../input/input-reader.ts';

/** Settings whose values never get into a message. */
const SECRET_KEY = /password$|secret$|_key$|url$|(^|\.)api_keys(\.|$)/;

/**
 * Returns the refusal of a setting: key, place and what is allowed.
 * @param above key of the section that was read. Default: the whole configuration was.
 */
export function settingRefusal(problem: InputProblem, place: string, above = ''): InvalidInput {
  const { kind, schema, value } = problem;
  const at = [above, problem.at].filter(Boolean).join('.');
  if (kind === 'unknown') {
    const enclosing = at.slice(0, at.lastIndexOf('.') + 1);
    const known = Object.keys(schema.properties ?? {}).map((name) => `${enclosing}${name}`);
    return unknownSetting(`${place}: `, at, known);
  }
  if (kind === 'missing') {
    return new InvalidInput('invalid_setting', `${place}: ${at} is missing; it must be ${wordsOf(schema)}.`, { at });
  }
  const shown = holdsSecret(at, schema) ? 'The value' : (JSON.stringify(value)?.slice(0, 80) ?? 'Nothing');
  return new InvalidInput('invalid_setting', `${place}: ${at} must be ${wordsOf(schema)}. ${shown} is not allowed.`, {
    at,
  });
}

/** Values of mappings count as secrets: the JSON of a variable may be malformed and contain passwords. */
function holdsSecret(at: string, { type, items }: InputProblem['schema']): boolean {
  return SECRET_KEY.test(at) || type === 'object' || items?.type === 'object';
}

/** Creates an `unknown_setting` error of one line, with the nearest of the known names. */
export function unknownSetting(place: string, name: string, known: readonly string[]): InvalidInput {
  const near = nearest(name, known);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  const message = `${place}${name} is not a setting.${hint} docs/configuration.md lists all settings.`;
  return new InvalidInput('unknown_setting', message, { at: name });
}

/** Returns the known name that `name` was most likely meant to be; undefined when none is near. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const distances = known.map((one) => ({ one, distance: editDistance(name, one) }));
  const [best] = distances.sort((left, right) => left.distance - right.distance);
  return best && best.distance <= Math.max(2, name.length / 5) ? best.one : undefined;
}

/** Counts the insertions, deletions and replacements that turn one string into the other. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
