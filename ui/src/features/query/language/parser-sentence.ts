import type { QueryProblem } from '../../../../../src/datastore/regular-language/query-problems.ts';
import type { Translate } from '../../../i18n/translation.ts';

/** Returns what the parser says, in the language of the reader. */
export function parserSentence({ id, values }: QueryProblem, t: Translate): string {
  const words = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? parserSentence(value, t) : String(value),
  ]);
  return t(`queryProblems.${id}`, Object.fromEntries(words));
}
