import { RE2JS } from 're2js';
import { tagField } from '../../documents/kinds/analysis/tagging.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput, isTriadError, messageOf } from '../../errors/errors.ts';
import { readPlainYaml } from '../system/plain-yaml.ts';

/** Values and patterns of tags that are safe, by type of tag. */
export interface TagSafelistRules {
  readonly match: Readonly<Record<string, readonly string[]>>;
  readonly regex: Readonly<Record<string, readonly string[]>>;
}

const SECTIONS = ['match', 'regex'] as const;
/** Characters of the patterns of one type of tag together. */
const MAX_PATTERN_LENGTH = 100_000;

/** The safe values of one type of tag. */
interface SafeValues {
  readonly values: ReadonlySet<string>;
  /** Undefined: no patterns. */
  readonly pattern: { test(value: string): boolean } | undefined;
}

/**
 * The tag safelist, with the values that are safe and the patterns that safe values begin with.
 * Patterns are those of RE2: they are matched without backtracking, in a time that grows with the value alone.
 */
export class TagSafelist {
  readonly rules: TagSafelistRules;
  readonly #safe = new Map<string, SafeValues>();

  /** @throws InvalidInput `invalid_tag_safelist` when a pattern cannot be compiled */
  constructor(rules: TagSafelistRules) {
    this.rules = rules;
    for (const type of new Set([...Object.keys(rules.match), ...Object.keys(rules.regex)])) {
      const patterns = rules.regex[type] ?? [];
      this.#safe.set(type, { values: new Set(rules.match[type] ?? []), pattern: compile(type, patterns) });
    }
  }

  isSafe(type: string, value: string): boolean {
    const safe = this.#safe.get(type);
    return safe !== undefined && (safe.values.has(value) || safe.pattern?.test(value) === true);
  }
}

/** Reads the YAML of a tag safelist. @throws `invalid_tag_safelist`, `yaml_too_large` */
export function readTagSafelist(yaml: string): TagSafelist {
  const value = refusing(() => readPlainYaml(yaml));
  if (!isObject(value)) throw invalid('It must be an object with the members match and regex');
  const stray = Object.keys(value).find((name) => !SECTIONS.some((section) => section === name));
  if (stray !== undefined) throw invalid(`There is no section ${JSON.stringify(stray)}, only match and regex`);
  return new TagSafelist({ match: readSection(value, 'match'), regex: readSection(value, 'regex') });
}

function readSection(
  value: Readonly<Record<string, unknown>>,
  section: (typeof SECTIONS)[number],
): Readonly<Record<string, readonly string[]>> {
  const types = value[section] ?? {};
  if (!isObject(types)) throw invalid(`The section ${section} must be an object of lists by type of tag`);
  for (const [type, values] of Object.entries(types)) {
    if (tagField(type) === undefined) throw invalid(`${type} is not a valid tag type`);
    if (!Array.isArray(values) || !values.every((one) => typeof one === 'string')) {
      throw invalid(`Value for ${type} should be a list of strings`);
    }
  }
  return types as Readonly<Record<string, readonly string[]>>;
}

/** One automaton for all patterns is ten times as fast as one for each. */
function compile(type: string, patterns: readonly string[]): SafeValues['pattern'] {
  if (patterns.length === 0) return undefined;
  const length = patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  if (length > MAX_PATTERN_LENGTH) {
    throw invalid(`The patterns of ${type} have ${length} characters, and at most ${MAX_PATTERN_LENGTH} are allowed`);
  }
  for (const pattern of patterns) {
    try {
      RE2JS.compile(pattern);
    } catch (error) {
      throw invalid(`The pattern ${JSON.stringify(pattern)} of ${type} is not valid: ${messageOf(error)}`);
    }
  }
  try {
    return RE2JS.compile(`^(?:${patterns.map((pattern) => `(?:${pattern})`).join('|')})`);
  } catch (error) {
    throw invalid(`The patterns of ${type} are too large together: ${messageOf(error)}`);
  }
}

function refusing<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isTriadError(error) && error.kind === 'invalid_input') throw invalid(error.message);
    throw error;
  }
}

function invalid(reason: string): InvalidInput {
  const message = `Invalid tag_safelist.yml file submitted: ${reason}`;
  return new InvalidInput('invalid_tag_safelist', message, { response: null });
}
