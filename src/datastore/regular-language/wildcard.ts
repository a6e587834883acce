import { ANY_CODE_POINT, Nfa } from './automaton.ts';
import { patternBudget, type StepBudget } from './query-limits.ts';

export type WildcardPart = { readonly literal: string } | 'any_one' | 'any_run';

/** Applies `map` to the literal text of a pattern, except for characters after a backslash. */
export function mapWildcardLiterals(pattern: string, map: (text: string) => string): string {
  return pattern.replace(/[^\\*?]+|\\.?/gs, (part) => (part.startsWith('\\') ? part : map(part)));
}

/** Compiles `*`, `?` and `\\` (before a literal) into a linear-time test; throws `query_too_complex`. */
export function compileWildcard(pattern: string, budget: StepBudget = patternBudget()): (value: string) => boolean {
  const parts = wildcardParts(pattern);
  const plain = substringTest(parts);
  if (plain) return plain;
  const nfa = new Nfa(budget);
  const start = nfa.state();
  let end = start;
  for (const part of parts) {
    if (part === 'any_run') end = nfa.anyString(end, true);
    else if (part === 'any_one') end = nfa.next(end, ANY_CODE_POINT);
    else end = nfa.literal(part.literal, end);
  }
  const automaton = nfa.determinize(start, end);
  return (value) => automaton.accepts(value);
}

/** Returns a test without an automaton, which takes quadratic steps for `*aaaa*`. */
function substringTest(parts: readonly WildcardPart[]): ((value: string) => boolean) | undefined {
  const literal = literalOf(parts);
  switch (shapeOf(parts)) {
    case '':
    case 'literal':
      return (value) => value === literal;
    case 'any_run':
      return () => true;
    case 'literal any_run':
      return (value) => value.startsWith(literal);
    case 'any_run literal':
      return (value) => value.endsWith(literal);
    case 'any_run literal any_run':
      return (value) => value.includes(literal);
    default:
      return undefined;
  }
}

/** Returns the kinds of the parts: `any_run literal` for `*a`. */
export function shapeOf(parts: readonly WildcardPart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : 'literal')).join(' ');
}

/** Returns the first literal. */
export function literalOf(parts: readonly WildcardPart[]): string {
  return parts.find((part) => typeof part !== 'string')?.literal ?? '';
}

export function escapeRe2(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The pattern taken apart; neighbouring runs are one, and neighbouring literals too. */
export function wildcardParts(pattern: string): readonly WildcardPart[] {
  const parts: WildcardPart[] = [];
  for (const [part] of pattern.matchAll(/\*+|\?|(?:\\.|[^\\*?])+|\\$/gs)) {
    if (part.startsWith('*')) parts.push('any_run');
    else if (part === '?') parts.push('any_one');
    else parts.push({ literal: part === '\\' ? part : part.replace(/\\(.)/gs, '$1') });
  }
  return parts;
}

/** Returns whether the pattern matches a prefix, a suffix or a substring, which needs no automaton. */
export function isSubstring(pattern: string): boolean {
  return /^\**(?:\\.|[^\\*?])*\**$/s.test(pattern);
}
