import { Grouped } from '../result-views/file-analysis.ts';
import type { FormattedResult } from '../result-views/format-result.ts';
import { HEURISTIC_TYPES, type HeuristicType, isWorse } from '../result-views/verdicts.ts';
import { type FileTree, treeNodes } from './file-tree.ts';
import type { SummaryContent } from './submission-summary.ts';
import { heuristicSections, type SummaryTagTypes, type TagGroup, tagGroupOf } from './summary-view.ts';

type NamedFile = readonly [name: string, sha256: string];

/** Names of the groups of tags in reports. */
const REPORT_GROUPS: Readonly<Record<TagGroup, string>> = {
  attribution: 'attributions',
  behavior: 'behaviors',
  ioc: 'indicators_of_compromise',
};

export interface ReportInput {
  readonly summary: SummaryContent;
  readonly tree: FileTree;
  readonly types: SummaryTagTypes;
  /** SHA-256 of the submitted file. */
  readonly submitted: string | undefined;
  /** Formatted results of the submitted file. */
  readonly results: readonly FormattedResult[];
}

/** Returns the parts of a report that come from the results: by name, with the files concerned. */
export function reportView({ summary, tree, types, submitted, results }: ReportInput) {
  const names = new Map<string, Set<string>>();
  for (const { sha256, name } of treeNodes(tree)) {
    names.set(sha256, new Set([...(names.get(sha256) ?? []), ...name]));
  }
  const important = new Set<string>();
  const filesOf = (key: string): readonly NamedFile[] => {
    const sha256 = key.slice(0, 64);
    important.add(sha256);
    return [...(names.get(sha256) ?? [sha256])].map((name) => [name, sha256] as const);
  };

  const attacks = new Map<string, FilesByName>();
  for (const { key, name, categories, h_type } of summary.attack_matrix) {
    for (const category of categories) listAt(attacks, category).add(name, h_type, filesOf(key));
  }
  const heuristics = Object.fromEntries(
    HEURISTIC_TYPES.map((type) => {
      const byName = new Grouped<NamedFile>();
      for (const { name, key } of summary.heuristics[type] ?? [])
        for (const file of filesOf(key)) byName.add(name, file);
      return [type, byName.all];
    }),
  );
  const tags = new Map<string, Map<string, FilesByName>>();
  for (const { type, value, safelisted, h_type, key } of summary.tags) {
    const group = tagGroupOf(type, types);
    if (group === undefined || safelisted || value === '') continue;
    const byType = tags.get(REPORT_GROUPS[group]) ?? new Map<string, FilesByName>();
    tags.set(REPORT_GROUPS[group], byType);
    listAt(byType, type).add(String(value), h_type, filesOf(key));
  }
  if (submitted !== undefined) important.delete(submitted);
  return {
    attack_matrix: viewOf(attacks),
    heuristics,
    heuristic_sections: heuristicSections(summary),
    heuristic_name_map: summary.heuristic_name_map,
    tags: Object.fromEntries([...tags].map(([group, byType]) => [group, viewOf(byType)])),
    important_files: [...important],
    promoted_sections: results.flatMap(({ result }) =>
      result.sections.filter(({ promote_to }) => promote_to !== undefined && promote_to !== null),
    ),
  };
}

/** Files by the name of what was found in them, with the worst heuristic that found it. */
class FilesByName {
  readonly #types = new Map<string, HeuristicType>();
  readonly #files = new Grouped<NamedFile>();

  add(name: string, type: HeuristicType, files: readonly NamedFile[]): void {
    const known = this.#types.get(name);
    if (known === undefined || isWorse(type, known)) this.#types.set(name, type);
    for (const file of files) this.#files.add(name, file);
  }

  get all() {
    return Object.fromEntries(
      [...this.#types].map(([name, h_type]) => [name, { h_type, files: this.#files.of(name) }]),
    );
  }
}

function listAt(lists: Map<string, FilesByName>, key: string): FilesByName {
  let list = lists.get(key);
  if (list === undefined) {
    list = new FilesByName();
    lists.set(key, list);
  }
  return list;
}

function viewOf(lists: ReadonlyMap<string, FilesByName>) {
  return Object.fromEntries([...lists].map(([key, list]) => [key, list.all]));
}
