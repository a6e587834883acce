import { isObject } from '../../documents/schema/plain-objects.ts';
import type { ResultContent } from '../result-views/result-content.ts';

type TagTree = { [part: string]: TagTree | unknown[] };

/** Values of one type of tag that filters look at. */
const MAX_VALUES = 10_000;

/** Returns the tags of all sections of results as one tree, each value once. */
export function joinedTags(results: Iterable<ResultContent>): object {
  const joined: TagTree = {};
  for (const { result } of results) {
    for (const { tags } of result.sections) if (isObject(tags)) join(joined, tags);
  }
  return joined;
}

function join(into: TagTree, tags: Readonly<Record<string, unknown>>): void {
  for (const [part, value] of Object.entries(tags)) {
    const known = into[part];
    if (isObject(value)) {
      const inner = isObject(known) ? (known as TagTree) : {};
      into[part] = inner;
      join(inner, value);
    } else if (value !== undefined && value !== null) {
      const values = new Set(Array.isArray(known) ? known : []);
      for (const one of Array.isArray(value) ? value : [value]) if (values.size < MAX_VALUES) values.add(one);
      into[part] = [...values];
    }
  }
}
