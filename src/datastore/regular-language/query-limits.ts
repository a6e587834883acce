import { InvalidInput } from '../../errors/errors.ts';
import { describeProblem, type QueryProblem, queryProblem } from './query-problems.ts';

/** States and transitions for the patterns of a query; 125,000 take about 20 ms, most patterns < 1,000. */
export const MAX_PATTERN_STEPS = 125_000;
/** Maximum of values, words, ranges and patterns; values of one keyword or number joined by OR are one. */
export const MAX_QUERY_CONDITIONS = 1_024;
/** Maximum of patterns: all but `a*`, `*a`, `*a*`, and `substringRegexp`. */
export const MAX_QUERY_PATTERNS = 100;
/** Longest fuzzy term, in UTF-16 units. */
export const MAX_FUZZY_LENGTH = 256;
/** Most words of a phrase with a distance (`"a b"~2`). */
export const MAX_SLOPPY_PHRASE_WORDS = 64;

/** A query that cannot be asked, with the reason in a form that can be translated. */
export class RefusedQuery extends InvalidInput {
  readonly problem: QueryProblem;

  constructor(code: 'invalid_query' | 'query_too_complex', problem: QueryProblem, at: number | undefined) {
    super(code, describeProblem(problem), { at });
    // Logs and callers know the kind of the error, not that it can be translated.
    this.name = InvalidInput.name;
    this.problem = problem;
  }
}

/** A query that cannot be read. `at` is a position in the query text, in UTF-16 units from 0. */
export function invalidQuery(problem: QueryProblem, at: number): RefusedQuery {
  return new RefusedQuery('invalid_query', problem, at);
}

/** A query beyond its limits. `at` as in `invalidQuery`, where the limit was exceeded at one place. */
export function queryTooComplex(reason: QueryProblem | string, at?: number): RefusedQuery {
  const details = typeof reason === 'string' ? queryProblem('other', { text: reason }) : reason;
  return new RefusedQuery('query_too_complex', queryProblem('too_complex', { reason: details }), at);
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
  const reason = queryProblem('many_steps', { most: MAX_PATTERN_STEPS });
  return new StepBudget(MAX_PATTERN_STEPS, () => queryTooComplex(reason));
}
