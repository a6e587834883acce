import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import type { SearchKind } from '../../../documents/schema/field-types.ts';
import { isRecord } from '../../models/json-record.ts';
import { comparable, type SoughtValue } from './sought-value.ts';

/** A path of documents below which values are searched for, and the values that are sought at it. */
interface PathNode {
  readonly members: Map<string, PathNode>;
  sought?: { readonly kind: SearchKind; readonly byTerm: ReadonlyMap<string, readonly SoughtValue[]> };
}

/**
 * Finds in documents the values that were searched for, as the index compares them.
 * Walks through what a document has: of some forty paths that a lookup searches, it has a quarter.
 */
export class HeldValues {
  readonly #root: PathNode = { members: new Map() };

  constructor(sought: readonly SoughtValue[], { fieldByPath }: Pick<CollectionDefinition<unknown>, 'fieldByPath'>) {
    const byPath = new Map<string, Map<string, SoughtValue[]>>();
    for (const one of sought) {
      for (const [path, terms] of one.places) {
        const byTerm = byPath.get(path) ?? new Map<string, SoughtValue[]>();
        byPath.set(path, byTerm);
        for (const term of terms) {
          const known = byTerm.get(term);
          if (known === undefined) byTerm.set(term, [one]);
          else known.push(one);
        }
      }
    }
    for (const [path, byTerm] of byPath) {
      this.#nodeOf(path).sought = { kind: fieldByPath.get(path)?.searchKind ?? 'keyword', byTerm };
    }
  }

  /** Returns the values that a document, as searches return it, holds. */
  in(document: unknown): ReadonlySet<SoughtValue> {
    const held = new Set<SoughtValue>();
    collect(document, this.#root, held);
    return held;
  }

  #nodeOf(path: string): PathNode {
    let node = this.#root;
    for (const part of path.split('.')) {
      const member: PathNode = node.members.get(part) ?? { members: new Map() };
      node.members.set(part, member);
      node = member;
    }
    return node;
  }
}

function collect(value: unknown, node: PathNode, into: Set<SoughtValue>): void {
  const { members, sought } = node;
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const one of value) collect(one, node, into);
  } else if (isRecord(value)) {
    for (const key of Object.keys(value)) {
      const member = members.get(key);
      if (member !== undefined) collect(value[key], member, into);
    }
  } else if (sought !== undefined) {
    for (const one of sought.byTerm.get(comparable(sought.kind, value) ?? '') ?? []) into.add(one);
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
