import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { parse as parseYaml } from 'yaml';
import { InvalidInput, messageOf } from '../errors/errors.ts';
import { converted, oneOf } from '../input/input-kinds.ts';
import { InputProblem, inputReader, wordsOf } from '../input/input-reader.ts';

/** The members of every named marking of a definition. Names are upper case. */
interface NamedMark {
  readonly name: string;
  readonly shortName: string;
  readonly aliases: readonly string[];
  readonly description: string;
  /** Keys beside the general ones, as clients get them in `params_map`. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface LevelMark extends NamedMark {
  /** 1 to 10,000; a higher one dominates. */
  readonly level: number;
  readonly css: Readonly<Record<string, string>>;
}
export interface RequiredMark extends NamedMark {
  /** The whole classification is raised to this level. */
  readonly requireLevel: number | undefined;
  /** Written in the group part of the text. */
  readonly isRequiredGroup: boolean;
}
export interface GroupMark extends NamedMark {
  readonly autoSelect: boolean;
  /** Stands for `REL TO <group>` when it is the only group. */
  readonly solitaryDisplayName: string | undefined;
}
export interface SubgroupMark extends NamedMark {
  readonly autoSelect: boolean;
  /** Short name of the group that comes with it. */
  readonly requireGroup: string | undefined;
  /** Short name of the only group that may stand beside it. */
  readonly limitedToGroup: string | undefined;
}

export const DYNAMIC_GROUPS_TYPES = ['email', 'group', 'all'] as const;
export type DynamicGroupsType = (typeof DYNAMIC_GROUPS_TYPES)[number];

/** The content of `classification.yml`, checked and upper-cased. */
export interface ClassificationDefinition {
  readonly enforce: boolean;
  readonly dynamicGroups: boolean;
  readonly dynamicGroupsType: DynamicGroupsType;
  readonly levels: readonly LevelMark[];
  readonly required: readonly RequiredMark[];
  readonly groups: readonly GroupMark[];
  readonly subgroups: readonly SubgroupMark[];
  readonly unrestricted: string;
  readonly restricted: string;
  /** The definition as written in the file, with the defaults of missing keys. */
  readonly original: Readonly<Record<string, unknown>>;
  /** Names the file in messages. */
  readonly fileName: string;
}

/** The sections of a definition that decide about access, by name. */
export type AccessRules = Readonly<Record<string, unknown>>;

/** Returns the sections that decide about access, without what clients alone read. */
export function accessRulesOf(definition: ClassificationDefinition): AccessRules {
  const { original: _original, fileName: _fileName, levels, required, groups, subgroups, ...rest } = definition;
  const rules = ({ description: _text, parameters: _parameters, ...mark }: NamedMark) => ({ ...mark, css: undefined });
  return {
    ...rest,
    levels: levels.map(rules),
    required: required.map(rules),
    groups: groups.map(rules),
    subgroups: subgroups.map(rules),
  };
}

const word = Type.String({ pattern: '\\S', allowed: 'a string that is not empty' });
const name = converted(word, (text) => text.trim().toUpperCase());
const flag = Type.Boolean({ default: false });
const markMembers = {
  name,
  short_name: name,
  aliases: converted(Type.Array(Type.String(), { default: [] }), (list) => list.map((alias) => alias.toUpperCase())),
  description: converted(Type.String({ default: '' }), (text) => text.trim()),
};
/** Other keys of a mark are kept: clients get them in `params_map`. */
const mark = <Members extends TProperties>(members: Members) =>
  Type.Object({ ...markMembers, ...members }, { additionalProperties: true, allowed: 'a mapping of keys' });
const listOf = <Mark extends TSchema>(one: Mark) => Type.Array(one, { default: [], allowed: 'a list' });

const level = mark({
  lvl: Type.Integer({ minimum: 1, maximum: 10_000 }),
  css: Type.Record(Type.String(), Type.String(), { default: {}, allowed: 'a mapping of names to strings' }),
});
const required = mark({
  require_lvl: Type.Optional(Type.Integer()),
  is_required_group: Type.Optional(Type.Boolean()),
});
const group = mark({ auto_select: flag, solitary_display_name: Type.Optional(word) });
const subgroup = mark({
  auto_select: flag,
  require_group: Type.Optional(word),
  limited_to_group: Type.Optional(word),
});
const definitionSchema = Type.Object(
  {
    enforce: flag,
    dynamic_groups: flag,
    dynamic_groups_type: oneOf(DYNAMIC_GROUPS_TYPES, { default: 'email' }),
    levels: listOf(level),
    required: listOf(required),
    groups: listOf(group),
    subgroups: listOf(subgroup),
    restricted: word,
    unrestricted: word,
  },
  { additionalProperties: false, allowed: 'a mapping of keys' },
);
const readDefinition = inputReader(definitionSchema);

const RESERVED_NAMES = ['NULL', 'INVALID', 'INV'];
const GENERAL_KEYS = ['name', 'short_name', 'aliases', 'description', 'css', 'lvl', 'auto_select'];
const DEFAULTS = {
  enforce: false,
  dynamic_groups: false,
  dynamic_groups_type: 'email',
  levels: [],
  required: [],
  groups: [],
  subgroups: [],
  restricted: undefined,
  unrestricted: undefined,
};

/**
 * Reads classification.yml. Levels, `unrestricted` and `restricted` must be given.
 * @param fileName names the file in messages.
 * @throws InvalidInput `invalid_classification_definition`; the message names file and key.
 */
export function readClassificationDefinition(text: string, fileName: string): ClassificationDefinition {
  const refusal = (at: string, reason: string) =>
    new InvalidInput('invalid_classification_definition', `${at === '' ? fileName : `${fileName}: ${at}`} ${reason}.`, {
      at,
    });
  const given = parseFile(text, fileName);
  const read = readDefinition(given);
  if (read instanceof InputProblem) {
    const known = Object.keys(DEFAULTS).join(', ');
    throw refusal(
      read.at,
      read.kind === 'unknown' ? `is not known; known are ${known}` : `must be ${wordsOf(read.schema)}`,
    );
  }
  if (read.levels.length === 0) throw refusal('levels', 'must list at least one level');

  const seen = new Map<string, string>();
  const claim = (what: string, at: string) => {
    const first = seen.get(what);
    if (first !== undefined) throw refusal(at, `repeats ${what}, which ${first} defines`);
    seen.set(what, at);
  };
  const named = (kind: string, entry: Static<TObject<typeof markMembers>>, at: string): NamedMark => {
    const { name, short_name: shortName, aliases, description } = entry;
    for (const [key, value] of Object.entries({ name, short_name: shortName })) {
      if (RESERVED_NAMES.includes(value)) throw refusal(`${at}.${key}`, `must not be the reserved word ${value}`);
      if (/[/,]/.test(value)) throw refusal(`${at}.${key}`, 'must not contain / or ,');
    }
    claim(`${kind} ${name}`, `${at}.name`);
    if (shortName !== name) claim(`${kind} ${shortName}`, `${at}.short_name`);
    const parameters = Object.entries(entry).filter(([key, value]) => !GENERAL_KEYS.includes(key) && value !== null);
    return { name, shortName, aliases, description, parameters: Object.fromEntries(parameters) };
  };
  const levels = read.levels.map((entry, index): LevelMark => {
    claim(`level ${entry.lvl}`, `levels[${index}].lvl`);
    return { ...named('level', entry, `levels[${index}]`), level: entry.lvl, css: entry.css };
  });
  const groups = read.groups.map(
    (entry, index): GroupMark => ({
      ...named('group', entry, `groups[${index}]`),
      autoSelect: entry.auto_select,
      solitaryDisplayName: entry.solitary_display_name?.trim().toUpperCase(),
    }),
  );
  const groupOf = (value: string | undefined, at: string): string | undefined => {
    const wanted = value?.trim().toUpperCase();
    const found = groups.find((known) => known.shortName === wanted || known.name === wanted);
    if (wanted !== undefined && !found) throw refusal(at, `names the group ${wanted}, which is not defined`);
    return found?.shortName;
  };
  return {
    enforce: read.enforce,
    dynamicGroups: read.dynamic_groups,
    dynamicGroupsType: read.dynamic_groups_type,
    levels: levels.toSorted((left, right) => left.level - right.level),
    required: read.required.map((entry, index) => ({
      ...named('required', entry, `required[${index}]`),
      requireLevel: entry.require_lvl,
      isRequiredGroup: entry.is_required_group ?? false,
    })),
    groups,
    subgroups: read.subgroups.map((entry, index) => ({
      ...named('subgroup', entry, `subgroups[${index}]`),
      autoSelect: entry.auto_select,
      requireGroup: groupOf(entry.require_group, `subgroups[${index}].require_group`),
      limitedToGroup: groupOf(entry.limited_to_group, `subgroups[${index}].limited_to_group`),
    })),
    unrestricted: read.unrestricted.trim(),
    restricted: read.restricted.trim(),
    original: { ...DEFAULTS, ...given },
    fileName,
  };
}

function parseFile(text: string, fileName: string): Readonly<Record<string, unknown>> {
  try {
    return parseYaml(text) ?? {};
  } catch (cause) {
    throw new InvalidInput('invalid_classification_definition', `${fileName} is not valid YAML: ${messageOf(cause)}`, {
      cause,
    });
  }
}
