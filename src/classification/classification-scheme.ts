import type {
  ClassificationDefinition,
  GroupMark,
  LevelMark,
  RequiredMark,
  SubgroupMark,
} from './classification-definition.ts';

/** Finds marks by long name, short name or alias; all upper case. */
class MarkTable<Mark extends Pick<LevelMark, 'name' | 'shortName' | 'aliases'>> {
  readonly #byShortName = new Map<string, Mark>();
  readonly #byName = new Map<string, Mark>();
  /** An alias may stand for several marks. */
  readonly aliases = new Map<string, Mark[]>();

  constructor(marks: readonly Mark[], moreAliases: (mark: Mark) => readonly string[] = () => []) {
    for (const mark of marks) {
      this.#byShortName.set(mark.shortName, mark);
      this.#byName.set(mark.name, mark);
      for (const alias of new Set([...mark.aliases, ...moreAliases(mark)])) {
        const known = this.aliases.get(alias);
        if (known) known.push(mark);
        else this.aliases.set(alias, [mark]);
      }
    }
  }

  /** Every mark that the text stands for; empty when it is none. */
  find(text: string): readonly Mark[] {
    const mark = this.#byShortName.get(text) ?? this.#byName.get(text);
    return mark ? [mark] : (this.aliases.get(text) ?? []);
  }

  byShortName(shortName: string): Mark | undefined {
    return this.#byShortName.get(shortName);
  }

  /** Long name; the short one where it is not defined (dynamic groups). */
  longName(shortName: string): string {
    return this.#byShortName.get(shortName)?.name ?? shortName;
  }
}

/** Look-up tables of a definition. */
export class ClassificationScheme {
  readonly definition: ClassificationDefinition;
  readonly levels: MarkTable<LevelMark>;
  readonly required: MarkTable<RequiredMark>;
  readonly groups: MarkTable<GroupMark>;
  readonly subgroups: MarkTable<SubgroupMark>;
  readonly autoSelectedGroups: readonly string[];
  readonly autoSelectedSubgroups: readonly string[];

  constructor(definition: ClassificationDefinition) {
    this.definition = definition;
    this.levels = new MarkTable(definition.levels);
    this.required = new MarkTable(definition.required);
    this.groups = new MarkTable(definition.groups, (group) =>
      group.solitaryDisplayName === undefined ? [] : [group.solitaryDisplayName],
    );
    this.subgroups = new MarkTable(definition.subgroups);
    const selected = (marks: readonly (GroupMark | SubgroupMark)[]) =>
      marks.filter(({ autoSelect }) => autoSelect).map(({ shortName }) => shortName);
    this.autoSelectedGroups = selected(definition.groups);
    this.autoSelectedSubgroups = selected(definition.subgroups);
  }

  level(number: number): LevelMark | undefined {
    return this.definition.levels.find(({ level }) => level === number);
  }
}

type Names = Record<string, string>;
type AliasLists = Record<string, string[]>;

/** The definition with the names of the public systems' clients (`stl`: short to long). */
export type ParsedDefinition = ReturnType<typeof parsedDefinition>;

export function parsedDefinition(
  scheme: ClassificationScheme,
  ends: { readonly unrestricted: string; readonly restricted: string },
) {
  const { levels, required, groups, subgroups, ...definition } = scheme.definition;
  const all = [...levels, ...required, ...groups, ...subgroups];
  const longToShort = (marks: typeof all): Names =>
    Object.fromEntries(marks.map((mark) => [mark.name, mark.shortName]));
  const shortToLong = (marks: typeof all): Names =>
    Object.fromEntries(marks.map((mark) => [mark.shortName, mark.name]));
  const underBothNames = <Mark extends (typeof all)[number], Value>(marks: Mark[], value: (mark: Mark) => Value) =>
    Object.fromEntries(marks.flatMap((mark) => [mark.shortName, mark.name].map((name) => [name, value(mark)])));
  const selected = (marks: readonly { readonly autoSelect: boolean; readonly name: string }[]) =>
    marks.filter((mark) => mark.autoSelect).map((mark) => mark.name);
  return {
    original_definition: definition.original,
    /** Both ways: short name to number, number (as text) to short name. */
    levels_map: Object.fromEntries(
      levels.flatMap((mark): [string, number | string][] => [
        [mark.shortName, mark.level],
        [String(mark.level), mark.shortName],
      ]),
    ),
    levels_map_stl: shortToLong([...levels]),
    levels_map_lts: longToShort([...levels]),
    levels_styles_map: underBothNames(levels, (mark) => mark.css),
    levels_aliases: Object.fromEntries(levels.flatMap((mark) => mark.aliases.map((alias) => [alias, mark.shortName]))),
    access_req_map_lts: longToShort([...required]),
    access_req_map_stl: shortToLong([...required]),
    access_req_aliases: aliasLists(scheme.required.aliases),
    groups_map_lts: longToShort([...groups]),
    groups_map_stl: shortToLong([...groups]),
    groups_aliases: aliasLists(scheme.groups.aliases),
    groups_auto_select: selected(groups),
    groups_auto_select_short: [...scheme.autoSelectedGroups],
    subgroups_map_lts: longToShort([...subgroups]),
    subgroups_map_stl: shortToLong([...subgroups]),
    subgroups_aliases: aliasLists(scheme.subgroups.aliases),
    subgroups_auto_select: selected(subgroups),
    subgroups_auto_select_short: [...scheme.autoSelectedSubgroups],
    /** Keys of a mark beside name, aliases and the like, under its long and its short name. */
    params_map: underBothNames(all, (mark) => mark.parameters),
    description: underBothNames(all, (mark) => mark.description),
    invalid_mode: false,
    enforce: definition.enforce,
    dynamic_groups: definition.dynamicGroups,
    dynamic_groups_type: definition.dynamicGroupsType,
    UNRESTRICTED: ends.unrestricted,
    RESTRICTED: ends.restricted,
  };
}

function aliasLists(aliases: ReadonlyMap<string, readonly { readonly shortName: string }[]>): AliasLists {
  return Object.fromEntries([...aliases].map(([alias, marks]) => [alias, marks.map((mark) => mark.shortName)]));
}
