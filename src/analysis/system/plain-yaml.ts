import { parseDocument } from 'yaml';
import { InvalidInput, messageOf, TooLarge } from '../../errors/errors.ts';
import { rejectImpossible } from '../../json/json-limits.ts';

/** Characters of a YAML text. Reading the largest keeps other callers waiting for about 250 ms. */
export const MAX_YAML_LENGTH = 262_144;

/**
 * Reads YAML of plain data: no aliases, no tags of its own, one document, bounded size and depth.
 * Keys that occur twice keep their last value.
 * @throws InvalidInput `invalid_yaml`, whose message is the reason alone; TooLarge `yaml_too_large`
 */
export function readPlainYaml(text: string): unknown {
  if (text.length > MAX_YAML_LENGTH) {
    const message = `The YAML text has ${text.length} characters, and at most ${MAX_YAML_LENGTH} are allowed.`;
    throw new TooLarge('yaml_too_large', message);
  }
  const document = parsed(text);
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw invalidYaml(firstLine(problem.message), problem);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    throw invalidYaml('aliases (`*name`) are not allowed; write the value out', cause);
  }
  try {
    rejectImpossible(value);
  } catch (cause) {
    throw invalidYaml(messageOf(cause).replace('The request body', 'the text'), cause);
  }
  return value;
}

/** Finding double keys takes a time that grows with their square, so they are not looked for. */
function parsed(text: string) {
  try {
    return parseDocument(text, { schema: 'core', uniqueKeys: false });
  } catch (cause) {
    // Lists in lists by the thousand exhaust the stack.
    throw invalidYaml('the text is nested too deeply', cause);
  }
}

function invalidYaml(reason: string, cause: unknown): InvalidInput {
  return new InvalidInput('invalid_yaml', reason, { cause });
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/:$/, '') ?? message;
}
