import { InvalidInput, messageOf } from '../../errors/errors.ts';
import { readPlainYaml } from '../system/plain-yaml.ts';
import type { LabelPattern } from './label-kinds.ts';
import { LabelMatcher } from './label-matcher.ts';

const MAX_PATTERNS = 1000;
const MAX_PATTERN_LENGTH = 1000;
/** A kind of files, or a media type. */
const KIND = /^[a-z]+(?:\/[a-z0-9\-.+]+)+$/;

/** Reads kinds by media type from YAML. @throws InvalidInput `invalid_identification_text`; TooLarge */
export function readMimeKinds(text: string): Readonly<Record<string, string>> {
  const kinds = readYaml(text);
  if (typeof kinds !== 'object' || kinds === null || Array.isArray(kinds)) {
    throw invalidText('The text must be a YAML mapping from media types to kinds of files.');
  }
  for (const [mime, kind] of Object.entries(kinds)) {
    if (!KIND.test(mime)) throw invalidText(`Invalid mimetype in item: [${mime}: ${kind}]`);
    if (typeof kind !== 'string' || !KIND.test(kind)) throw invalidText(`Invalid AL type in item [${mime}: ${kind}]`);
  }
  return kinds as Readonly<Record<string, string>>;
}

/** Compiles patterns of labels from YAML. @throws InvalidInput `invalid_identification_text`; TooLarge */
export function readLabelPatterns(text: string): LabelMatcher {
  const patterns = readYaml(text);
  if (!Array.isArray(patterns) || patterns.length > MAX_PATTERNS) {
    throw invalidText(`The text must be a YAML list of at most ${MAX_PATTERNS} patterns.`);
  }
  return new LabelMatcher(patterns.map(readPattern));
}

function readPattern(pattern: unknown): LabelPattern {
  const shown = JSON.stringify(pattern)?.slice(0, 200);
  const { al_type: kind, regex } = (pattern ?? {}) as Readonly<Record<string, unknown>>;
  if (kind === undefined) throw invalidText(`Missing 'al_type' in pattern: ${shown}`);
  if (typeof kind !== 'string' || !KIND.test(kind)) throw invalidText(`Invalid 'al_type' in pattern: ${shown}`);
  if (regex === undefined) throw invalidText(`Missing 'regex' in pattern: ${shown}`);
  if (typeof regex !== 'string' || regex.length > MAX_PATTERN_LENGTH) {
    throw invalidText(`The 'regex' must be a string of at most ${MAX_PATTERN_LENGTH} characters in pattern: ${shown}`);
  }
  try {
    new LabelMatcher([{ al_type: kind, regex }]);
  } catch (error) {
    throw invalidText(`Invalid regular expression in pattern: '${regex}' (${messageOf(error)})`);
  }
  return { al_type: kind, regex };
}

function readYaml(text: string): unknown {
  try {
    return readPlainYaml(text);
  } catch (error) {
    if (error instanceof InvalidInput) throw invalidText(`The text is not valid YAML: ${error.message}`);
    throw error;
  }
}

/** Returns the refusal of rules that an administrator sent. */
export function invalidText(message: string): InvalidInput {
  return new InvalidInput('invalid_identification_text', message, { response: { success: false } });
}
