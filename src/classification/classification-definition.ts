import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { parse as parseYaml } from 'yaml';
import { InvalidInput, messageOf } from '../errors/errors.ts';
import { converted, oneOf } from '../input/input-kinds.ts';
import { InputProblem, inputReader, wordsOf } from '../input/input-reader.ts';

/** The content of `classification.yml`, checked and upper-cased. */
export type ClassificationDefinition = ReturnType<typeof readClassificationDefinition>;
export type LevelMark = ClassificationDefinition['levels'][number];
export type RequiredMark = ClassificationDefinition['required'][number];
export type GroupMark = ClassificationDefinition['groups'][number];
export type SubgroupMark = ClassificationDefinition['subgroups'][number];

/** The sections of a definition that decide about access, by name. */
export type AccessRules = Readonly<Record<string, unknown>>;

/** Returns the sections that decide about access, without what clients alone read. */
export function accessRulesOf(definition: ClassificationDefinition): AccessRules {
  const { original: _original, fileName: _fileName, levels, required, groups, subgroups, ...rest } = definition;
  const rules = <Mark extends Pick<LevelMark, 'description' | 'parameters'>>(one: Mark) => {
    const { description: _description, parameters: _parameters, ...mark } = one;
    return { ...mark, css: undefined };
  };
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
    dynamic_groups_type: oneOf(['email', 'group', 'all'], { default: 'email' }),
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
 * @throws InvalidInput `invalid_classification_definition`; the message names file and key.
 */
export function readClassificationDefinition(text: string, fileName: string) {
  const refusal = (at: string, reason: string) => {
    const place = at === '' ? fileName : `${fileName}: ${at}`;
    return new InvalidInput('invalid_classification_definition', `${place} ${reason}.`, { at });
  };
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
  /** Returns the members of every mark; `parameters` are the other keys (`params_map` of clients). */
  const named = (kind: string, entry: Static<TObject<typeof markMembers>>, at: string) => {
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
  const levels = read.levels.map((entry, index) => {
    claim(`level ${entry.lvl}`, `levels[${index}].lvl`);
    /** 1 to 10,000; a higher one dominates. */
    const level = entry.lvl;
    return { ...named('level', entry, `levels[${index}]`), level, css: entry.css };
  });
  const groups = read.groups.map((entry, index) => ({
    ...named('group', entry, `groups[${index}]`),
    autoSelect: entry.auto_select,
    /** Stands for `REL TO <group>` when it is the only group. */
    solitaryDisplayName: entry.solitary_display_name?.trim().toUpperCase(),
  }));
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
      /** The whole classification is raised to this level. */
      requireLevel: entry.require_lvl,
      /** Written in the group part of the text. */
      isRequiredGroup: entry.is_required_group ?? false,
    })),
    groups,
    subgroups: read.subgroups.map((entry, index) => ({
      ...named('subgroup', entry, `subgroups[${index}]`),
      autoSelect: entry.auto_select,
      /** Short name of the group that comes with it. */
      requireGroup: groupOf(entry.require_group, `subgroups[${index}].require_group`),
      /** Short name of the only group that may stand beside it. */
      limitedToGroup: groupOf(entry.limited_to_group, `subgroups[${index}].limited_to_group`),
    })),
    unrestricted: read.unrestricted.trim(),
    restricted: read.restricted.trim(),
    /** The definition as written in the file, with the defaults of missing keys. */
    original: { ...DEFAULTS, ...given },
    fileName,
  };
}

function parseFile(text: string, fileName: string): Readonly<Record<string, unknown>> {
  try {
    return parseYaml(text, { merge: true }) ?? {};
  } catch (cause) {
    throw new InvalidInput('invalid_classification_definition', `${fileName} is not valid YAML: ${messageOf(cause)}`, {
      cause,
    });
  }
}
