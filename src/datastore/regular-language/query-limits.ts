import { InvalidInput } from '../../errors/errors.ts';

/** States and transitions for the patterns of a query; 125,000 take about 20 ms, most patterns < 1,000. */
export const MAX_PATTERN_STEPS = 125_000;
/** Maximum of values, words, ranges and patterns; values of one keyword or number joined by OR are one. */
export const MAX_QUERY_CONDITIONS = 1_024;
/** Maximum of patterns: all but wildcards such as `a*`, `*a` and `*a*`. */
export const MAX_QUERY_PATTERNS = 100;
/** Longest fuzzy term, in UTF-16 units. */
export const MAX_FUZZY_LENGTH = 256;
/** Most words of a phrase with a distance (`"a b"~2`). */
export const MAX_SLOPPY_PHRASE_WORDS = 64;

/** A query that cannot be read. `at` is a position in the query text, in UTF-16 units from 0. */
export function invalidQuery(message: string, at: number): InvalidInput {
  return new InvalidInput('invalid_query', message, { at });
}

/** A query beyond its limits. `at` as in `invalidQuery`, where the limit was exceeded at one place. */
export function queryTooComplex(reason: string, at?: number): InvalidInput {
  return new InvalidInput('query_too_complex', `The query is too complex: ${reason}.`, { at });
}

/** Counts steps down and throws at the end of them. */
export class StepBudget {
  readonly #refusal: () => Error;
  #left: number;

  constructor(steps: number, refusal: () => Error) {
    this.#left = steps;
    this.#refusal = refusal;
  }

  get left(): number {
    return this.#left;
  }

  /** Takes steps from the budget. @throws what the constructor was given, when none are left */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw this.#refusal();
  }
}

export function patternBudget(): StepBudget {
  const reason = `its regular expressions and wildcards need more than ${MAX_PATTERN_STEPS} steps to compile`;
  return new StepBudget(MAX_PATTERN_STEPS, () => queryTooComplex(`${reason}. Make repetitions smaller`));
}
