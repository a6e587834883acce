import { FILE_KINDS, TAG_TYPES } from '../../documents/kinds/file-kinds.ts';

/** Highest priority of each level; 0 is dropped (contract/analysis.md section 3.6). */
const HIGHEST_PRIORITIES = [
  ['low', 100],
  ['medium', 200],
  ['high', 300],
  ['critical', 400],
  ['user-low', 500],
  ['user-medium', 1000],
  ['user-high', 1500],
] as const;

/** What never changes while the program runs: priorities, kinds of files with the analyzers that take them, types of tags. */
export function systemConstants(): object {
  const priorities: Record<string, readonly [lowest: number, highest: number]> = {};
  let below = 0;
  for (const [level, highest] of HIGHEST_PRIORITIES) {
    priorities[level] = [below + 1, highest];
    below = highest;
  }
  return {
    max_priority: below,
    priorities,
    // Analyzers stand beside the kinds that they take; `*` has those that take every kind.
    file_types: ['*', ...FILE_KINDS].map((kind) => [kind, []]),
    // `file.rule` has a type for each kind of rule below it.
    tag_types: [...TAG_TYPES, 'file.rule'].sort(),
  };
}
