import type {
  ClassificationDefinition,
  GroupMark,
  LevelMark,
  RequiredMark,
  SubgroupMark,
} from './classification-definition.ts';

/** Finds marks by long name, short name or alias; all upper case. */
class MarkTable<
  Mark extends { readonly name: string; readonly shortName: string; readonly aliases: readonly string[] },
> {
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
  readonly #levelByNumber: ReadonlyMap<number, LevelMark>;

  constructor(definition: ClassificationDefinition) {
    this.definition = definition;
    this.levels = new MarkTable(definition.levels);
    this.required = new MarkTable(definition.required);
    this.groups = new MarkTable(definition.groups, (group) =>
      group.solitaryDisplayName === undefined ? [] : [group.solitaryDisplayName],
    );
    this.subgroups = new MarkTable(definition.subgroups);
    this.autoSelectedGroups = definition.groups.filter((group) => group.autoSelect).map((group) => group.shortName);
    this.autoSelectedSubgroups = definition.subgroups
      .filter((subgroup) => subgroup.autoSelect)
      .map((subgroup) => subgroup.shortName);
    this.#levelByNumber = new Map(definition.levels.map((level) => [level.level, level]));
  }

  level(number: number): LevelMark | undefined {
    return this.#levelByNumber.get(number);
  }
}
