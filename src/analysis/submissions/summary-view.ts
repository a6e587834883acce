import type { ClearedReader } from '../result-views/cleared-reader.ts';
import { Grouped } from '../result-views/file-analysis.ts';
import { type FormattedSection, formatSection } from '../result-views/format-result.ts';
import { HEURISTIC_TYPES, type HeuristicType, isWorse } from '../result-views/verdicts.ts';
import type { SummaryContent } from './submission-summary.ts';

/** Types of tags that a summary lists, by group (`submission.tag_types`). */
export interface SummaryTagTypes {
  readonly attribution: readonly string[];
  readonly behavior: readonly string[];
  readonly ioc: readonly string[];
}

const TAG_GROUPS = ['behavior', 'attribution', 'ioc'] as const;
export type TagGroup = (typeof TAG_GROUPS)[number];

/** Returns the group of a type of tag that summaries list; undefined for other types. */
export function tagGroupOf(type: string, types: SummaryTagTypes): TagGroup | undefined {
  return TAG_GROUPS.find((group) => types[group].includes(type));
}

/** Returns the sections of heuristics as clients show them. */
export function heuristicSections({
  heuristic_sections,
}: SummaryContent): Readonly<Record<string, readonly FormattedSection[]>> {
  return Object.fromEntries(
    Object.entries(heuristic_sections).map(([id, sections]) => [
      id,
      sections.map((section) => formatSection(section, section.classification)),
    ]),
  );
}

/** Returns the summary of a submission: tags, techniques and heuristics, and which file has which. */
export function summaryView(content: SummaryContent, types: SummaryTagTypes, reader: ClearedReader) {
  const links = new Grouped<readonly [string]>();
  const attacks = new Grouped<readonly [id: string, name: string, HeuristicType]>();
  const heuristics = new Grouped<readonly [id: string, name: string]>();
  const link = (key: string, resultKey: string) => {
    const sha256 = resultKey.slice(0, 64);
    links.add(key, [sha256]);
    links.add(sha256, [key]);
  };
  for (const { key, attack_id, name, categories, h_type } of content.attack_matrix) {
    if (categories.length > 0) link(`attack_pattern__${attack_id}`, key);
    for (const category of categories) attacks.add(category, [attack_id, name, h_type]);
  }
  for (const type of HEURISTIC_TYPES) {
    for (const { heur_id, name, key, signatures } of content.heuristics[type] ?? []) {
      link(`heuristic__${heur_id}`, key);
      for (const signature of signatures) link(`heuristic.signature__${signature}`, key);
      heuristics.add(type, [heur_id, name]);
    }
  }
  const tags = new SummaryTags(reader);
  for (const tag of content.tags) {
    const group = tagGroupOf(tag.type, types);
    if (group === undefined || tag.value === '') continue;
    link(`${tag.type}__${tag.value}`, tag.key);
    tags.add(group, tag);
  }
  return {
    map: Object.fromEntries(Object.entries(links.all).map(([key, rows]) => [key, rows.map(([one]) => one)])),
    tags: tags.all,
    attack_matrix: attacks.all,
    heuristics: heuristics.all,
    heuristic_sections: heuristicSections(content),
    heuristic_name_map: content.heuristic_name_map,
    classification: content.classification,
    filtered: content.filtered,
    partial: content.partial,
  };
}

type TagRow = readonly [value: unknown, type: HeuristicType, safelisted: boolean, classification: string];

/** Tags by group and type, each value once with the worst of its heuristics. */
class SummaryTags {
  readonly #reader: ClearedReader;
  readonly #groups = new Map<TagGroup, Map<string, Map<unknown, TagRow>>>();

  constructor(reader: ClearedReader) {
    this.#reader = reader;
  }

  add(group: TagGroup, { type, value, h_type, safelisted, classification }: SummaryContent['tags'][number]): void {
    const types = this.#groups.get(group) ?? new Map<string, Map<unknown, TagRow>>();
    this.#groups.set(group, types);
    const rows = types.get(type) ?? new Map<unknown, TagRow>();
    types.set(type, rows);
    const known = rows.get(value);
    if (known === undefined) rows.set(value, [value, h_type, safelisted, classification]);
    else if (isWorse(h_type, known[1])) {
      // Without the context of a file, the least restrictive classification is the right one.
      rows.set(value, [value, h_type, safelisted, this.#reader.min(known[3], classification) ?? classification]);
    }
  }

  get all(): Readonly<Record<TagGroup, Readonly<Record<string, readonly TagRow[]>>>> {
    const groupOf = (group: TagGroup) =>
      Object.fromEntries([...(this.#groups.get(group) ?? [])].map(([type, rows]) => [type, [...rows.values()]]));
    return { attribution: groupOf('attribution'), behavior: groupOf('behavior'), ioc: groupOf('ioc') };
  }
}
