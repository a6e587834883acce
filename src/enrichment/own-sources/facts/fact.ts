import type { WrittenAnnotation } from '../local-answers.ts';

/** Something that follows from a value alone. */
export type Fact = WrittenAnnotation;

/** Returns the facts of one value; none for a value that is not of the type. */
export type FactReader = (value: string) => readonly Fact[];

/** Writes a fact. @param value short and stable, for programs @param summary a sentence for people */
export function fact(value: string, summary: string, changes: Partial<Fact> = {}): Fact {
  return { type: 'context', value, summary, confidence: 1, ...changes };
}
