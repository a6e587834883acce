import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import type { SearchKind } from '../../../documents/schema/field-types.ts';
import { isRecord } from '../../models/json-record.ts';
import { combinedPlaces, comparable, type SoughtValue } from './sought-value.ts';

interface Holder {
  readonly parts: readonly string[];
  readonly kind: SearchKind;
  readonly byTerm: ReadonlyMap<string, readonly SoughtValue[]>;
}

/** Finds in documents the values that were searched for, as the index compares them. */
export class HeldValues {
  readonly #holders: readonly Holder[];

  constructor(sought: readonly SoughtValue[], { fieldByPath }: Pick<CollectionDefinition<unknown>, 'fieldByPath'>) {
    this.#holders = [...combinedPlaces(sought).keys()].map((path) => {
      const byTerm = new Map<string, SoughtValue[]>();
      for (const one of sought) {
        for (const term of one.places.get(path) ?? []) {
          const known = byTerm.get(term);
          if (known === undefined) byTerm.set(term, [one]);
          else known.push(one);
        }
      }
      return { parts: path.split('.'), kind: fieldByPath.get(path)?.searchKind ?? 'keyword', byTerm };
    });
  }

  /** Returns the values that a document, as searches return it, holds. */
  in(document: unknown): ReadonlySet<SoughtValue> {
    const held = new Set<SoughtValue>();
    for (const { parts, kind, byTerm } of this.#holders) {
      eachValue(document, parts, 0, (value) => {
        for (const one of byTerm.get(comparable(kind, value) ?? '') ?? []) held.add(one);
      });
    }
    return held;
  }
}

/** Returns the string at a path. */
export function textAt(document: unknown, path: string): string | undefined {
  const [value] = valuesAt(document, path.split('.'));
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the values at a path, through lists. */
export function valuesAt(document: unknown, parts: readonly string[]): readonly unknown[] {
  const values: unknown[] = [];
  eachValue(document, parts, 0, (value) => values.push(value));
  return values;
}

/** Passes on each value below the parts from `at` on. */
function eachValue(value: unknown, parts: readonly string[], at: number, take: (value: unknown) => void): void {
  if (Array.isArray(value)) {
    for (const one of value) eachValue(one, parts, at, take);
    return;
  }
  const part = parts[at];
  if (part === undefined) {
    if (value !== null && value !== undefined) take(value);
  } else if (isRecord(value) && Object.hasOwn(value, part)) {
    eachValue(value[part], parts, at + 1, take);
  }
}
