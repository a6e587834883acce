import { type ClassificationParts, invalid } from './classification-text.ts';

/** Sorted, each once. */
export function union(left: readonly string[], right: readonly string[]): readonly string[] {
  return [...new Set([...left, ...right])].sort();
}

/** In the order of `left`. */
export function intersection(left: readonly string[], right: readonly string[]): readonly string[] {
  return left.filter((name) => right.includes(name));
}

/** Returns the names in both lists, where an empty list stands for all users. */
export function shared(what: string, left: readonly string[], right: readonly string[]): readonly string[] {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  const both = intersection(left, right);
  if (both.length > 0) return both;
  const list = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`;
  throw invalid(`Could not find any intersection between the ${what}. ${list(left)} & ${list(right)}`);
}

/** Both lists sorted. */
export function sameParts(left: ClassificationParts, right: ClassificationParts): boolean {
  const same = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((v, i) => v === b[i]);
  return (
    left.level === right.level &&
    same(left.required, right.required) &&
    same(left.groups, right.groups) &&
    same(left.subgroups, right.subgroups)
  );
}
