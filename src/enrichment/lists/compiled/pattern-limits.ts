import { RE2JS } from 're2js';

/** Limits of one list: all its patterns run over every value that is looked up. */
export const PATTERN_LIMITS = {
  substrings: 10_000,
  /** Shorter ones match almost everything. */
  shortest: 3,
  longest: 1000,
  expressions: 100,
  /** Instructions of one expression and of all, as RE2 compiles them. */
  instructions: 1000,
  allInstructions: 20_000,
} as const;

/** Decides which patterns a list may have. */
export class PatternLimits {
  #substrings = 0;
  #expressions = 0;
  #instructions = 0;

  /** Returns why a pattern is rejected; undefined when it is accepted, which counts it. */
  problemOf(match: 'substring' | 'regex', text: string): string | undefined {
    const pattern = text.trim();
    const { shortest, longest } = PATTERN_LIMITS;
    if (pattern.length > longest) return `is a pattern of more than ${longest} characters`;
    if (match === 'regex') return this.#problemOfRegex(pattern);
    if (pattern.length < shortest) return `is a substring of less than ${shortest} characters`;
    if (this.#substrings >= PATTERN_LIMITS.substrings)
      return `is one of more than ${PATTERN_LIMITS.substrings} substrings`;
    this.#substrings += 1;
    return undefined;
  }

  #problemOfRegex(pattern: string): string | undefined {
    const { expressions, instructions, allInstructions } = PATTERN_LIMITS;
    if (this.#expressions >= expressions) return `is one of more than ${expressions} expressions`;
    let size: number;
    try {
      size = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).programSize();
    } catch {
      return 'is an expression that RE2 does not accept';
    }
    if (size > instructions || this.#instructions + size > allInstructions) return 'is an expression that is too slow';
    this.#expressions += 1;
    this.#instructions += size;
    return undefined;
  }
}
