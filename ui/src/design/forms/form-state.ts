import { ApiProblem } from '../../api/problem.ts';
import { isSameValue } from '../../json/equality.ts';

export type FieldErrors = Readonly<Record<string, string>>;

/** A failed submission, by the place that shows it. */
export interface SubmitFailure {
  readonly errors: FieldErrors;
  /** The failure itself, unless a field shows it. */
  readonly problem: unknown;
}

/**
 * Splits a failure into the error of a field and what belongs to the whole form. The `at` of an
 * ApiProblem counts for the field of that path, or for the nearest field above it: `rules.2.query`
 * is shown at `rules` where no field has the whole path.
 */
export function failureOf(problem: unknown, names: readonly string[]): SubmitFailure {
  const at = problem instanceof ApiProblem ? problem.at : undefined;
  if (!(problem instanceof ApiProblem) || typeof at !== 'string') return { errors: {}, problem };
  const name = nearestName(pathOf(at), names);
  return name === undefined ? { errors: {}, problem } : { errors: { [name]: problem.message }, problem: undefined };
}

/** Returns the dotted form of a path: `/rules/2/query` and `rules[2].query` are `rules.2.query`. */
function pathOf(at: string): string {
  return at
    .replaceAll(/\[(\w+)\]/g, '.$1')
    .replaceAll('/', '.')
    .replace(/^\.|^body\./, '');
}

function nearestName(path: string, names: readonly string[]): string | undefined {
  for (let part = path; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('.')))) {
    if (names.includes(part)) return part;
  }
  return undefined;
}

/** Returns the members that differ from the stored ones. Sent alone, they keep the changes of others. */
export function changedMembers<Values extends object>(values: Values, stored: Values): Partial<Values> {
  const before = new Map<string, unknown>(Object.entries(stored));
  const changed: Partial<Values> = { ...values };
  for (const name in changed) {
    if (isSameValue(changed[name], before.get(name))) delete changed[name];
  }
  return changed;
}
