import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { SourceSelector } from '../../sources/source-client.ts';
import { type QueryLimits, querySize, type SearchedField, type SoughtValue, soughtValue } from './sought-value.ts';

/** The error of values for which a lookup had no time. */
export const NO_TIME =
  'There was no time to search for this value. Look up fewer values, or allow more time (max_timeout).';

/** Collects the answer to a lookup, by type and value. Values may have any name, `__proto__` included. */
export class ValueAnswers {
  readonly all: Record<string, Record<string, unknown>> = Object.create(null);

  /**
   * Returns the values of a lookup to search for. Those that are too long for a query get an error
   * instead.
   */
  sought(
    selectors: readonly SourceSelector[],
    fieldsOf: (type: string) => readonly SearchedField[],
    limits: QueryLimits,
  ): readonly SoughtValue[] {
    return selectors.flatMap((selector) => {
      const one = soughtValue(selector, fieldsOf(selector.type));
      if (one === undefined) return [];
      if (querySize(one).characters <= limits.characters) return [one];
      this.fail([one], 'The value is too long for a search.');
      return [];
    });
  }

  add(one: SoughtValue, items: readonly object[]): void {
    if (items.length > 0) this.#set(one, { items });
  }

  /** Answers values with an error of their own. */
  fail(sought: Iterable<SoughtValue>, error: string): void {
    for (const one of sought) this.#set(one, { items: [], error });
  }

  #set({ selector: { type, value } }: SoughtValue, answer: object): void {
    this.all[type] ??= Object.create(null) as Record<string, unknown>;
    this.all[type][value] = answer;
  }
}

/**
 * Returns the highest of the classifications of what an entry is made of. Where it is not known here,
 * as another installation has other ones, or would hide from the caller what they may see, it is the clearance.
 */
export function highestClassification(
  classifications: Iterable<string>,
  { engine, clearance }: { readonly engine: ClassificationEngine; readonly clearance: string },
): string {
  try {
    let highest = engine.unrestricted;
    for (const one of classifications) highest = engine.max(highest, one);
    return engine.isAccessible(clearance, highest) ? highest : clearance;
  } catch {
    return clearance;
  }
}
