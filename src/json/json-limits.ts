import { type ErrorOptions, InvalidInput, TooLarge } from '../errors/errors.ts';

/** Objects and lists inside each other, at most. */
export const MAX_DEPTH = 100;
/** Characters of one string, at most. */
export const MAX_STRING_LENGTH = 8_000_000;

interface Allowance {
  /** Strings may hold the character NUL: parts of files, which analyzers report. Default false. */
  readonly mayHoldNul?: boolean;
}

interface Problem {
  readonly refuse: (message: string, options: ErrorOptions) => Error;
  readonly text: string;
  /** From the innermost outwards. */
  readonly path: (string | number)[];
}

/**
 * Rejects what JSON can say and no part of the program can take, and names its place.
 * @param json what it was read from, if it was: UTF-8 text without escapes holds no character that has to be looked for
 * @throws InvalidInput `invalid_character`, `nested_too_deep`, `reserved_key`; TooLarge `string_too_long`
 */
export function rejectImpossible(value: unknown, json?: string, { mayHoldNul = false }: Allowance = {}): void {
  const isPlain = json !== undefined && json.length <= MAX_STRING_LENGTH && !json.includes('\\u');
  const problem = findProblem(value, 1, isPlain ? nothing : mayHoldNul ? findRareProblem : findStringProblem);
  if (problem === undefined) return;
  const at = problem.path.reverse().join('.');
  const message = `${at === '' ? 'The request body' : `The value at ${shorten(at)}`} ${problem.text}.`;
  throw problem.refuse(message, { at });
}

const stringTooLong: Problem['refuse'] = (...given) => new TooLarge('string_too_long', ...given);
const reservedKey: Problem['refuse'] = (...given) => new InvalidInput('reserved_key', ...given);
const nestedTooDeep: Problem['refuse'] = (...given) => new InvalidInput('nested_too_deep', ...given);
const invalidCharacter: Problem['refuse'] = (...given) => new InvalidInput('invalid_character', ...given);

type StringCheck = (text: string) => Problem | undefined;

const nothing: StringCheck = () => undefined;

function findProblem(value: unknown, depth: number, ofString: StringCheck): Problem | undefined {
  if (typeof value === 'string') return ofString(value);
  if (value === null || typeof value !== 'object') return undefined;
  if (depth > MAX_DEPTH) {
    return { refuse: nestedTooDeep, text: `is nested more than ${MAX_DEPTH} levels deep`, path: [] };
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const problem = findProblem(value[index], depth + 1, ofString);
      if (problem !== undefined) return within(index, problem);
    }
    return undefined;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members)) {
    if (key === '__proto__') return { refuse: reservedKey, text: 'has the reserved key __proto__', path: [] };
    const problem = ofString(key) ?? findProblem(members[key], depth + 1, ofString);
    if (problem !== undefined) return within(key, problem);
  }
  return undefined;
}

function findStringProblem(text: string): Problem | undefined {
  if (text.includes('\0')) {
    return { refuse: invalidCharacter, text: 'holds the character NUL (\\u0000), which cannot be stored', path: [] };
  }
  return findRareProblem(text);
}

function findRareProblem(text: string): Problem | undefined {
  if (text.length > MAX_STRING_LENGTH) {
    return { refuse: stringTooLong, text: `is longer than ${MAX_STRING_LENGTH} characters`, path: [] };
  }
  if (!text.isWellFormed()) {
    return { refuse: invalidCharacter, text: 'holds half of a surrogate pair, which is not a character', path: [] };
  }
  return undefined;
}

function within(key: string | number, problem: Problem): Problem {
  problem.path.push(key);
  return problem;
}

function shorten(path: string): string {
  const printable = path.toWellFormed().replaceAll('\0', '\\u0000');
  return printable.length > 200 ? `${printable.slice(0, 200)}…` : printable;
}
