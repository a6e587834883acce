import { parse as parseYaml, YAMLParseError } from 'yaml';
import { InvalidInput } from '../errors/errors.ts';

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

/**
 * Returns what decides about access, without descriptions, styles and other keys that clients alone
 * read.
 */
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

const RESERVED_NAMES = ['NULL', 'INVALID', 'INV'];

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
  const given = parseFile(text, fileName);
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(DEFAULTS, key)) {
      refuse(fileName, key, `is not known; known are ${Object.keys(DEFAULTS).join(', ')}`);
    }
  }
  return new DefinitionReader(fileName, { ...DEFAULTS, ...given }).read();
}

function parseFile(text: string, fileName: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseYaml(text);
  } catch (error) {
    const reason = error instanceof YAMLParseError ? error.message : String(error);
    throw new InvalidInput('invalid_classification_definition', `${fileName} is not valid YAML: ${reason}`, {
      cause: error,
    });
  }
  if (value === null || value === undefined) return {};
  if (!isRecord(value)) refuse(fileName, '', 'must be a mapping of keys');
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(fileName: string, key: string, reason: string): never {
  const where = key === '' ? fileName : `${fileName}: ${key}`;
  throw new InvalidInput('invalid_classification_definition', `${where} ${reason}.`, { at: key });
}

const GENERAL_KEYS = ['name', 'short_name', 'aliases', 'description', 'css', 'lvl', 'auto_select'];

class DefinitionReader {
  readonly #fileName: string;
  readonly #original: Record<string, unknown>;
  /** The first place of each name, so that the error for a second use can name both. */
  readonly #seen = new Map<string, string>();

  constructor(fileName: string, original: Record<string, unknown>) {
    this.#fileName = fileName;
    this.#original = original;
  }

  read(): ClassificationDefinition {
    const original = this.#original;
    const levels = this.#entries('levels').map(([entry, at]) => this.#level(entry, at));
    if (levels.length === 0) this.#refuse('levels', 'must list at least one level');
    const required = this.#entries('required').map(([entry, at]) => this.#required(entry, at));
    const groups = this.#entries('groups').map(([entry, at]) => this.#group(entry, at));
    const subgroups = this.#entries('subgroups').map(([entry, at]) => this.#subgroup(entry, at, groups));
    const type = original.dynamic_groups_type;
    const dynamicGroupsType = DYNAMIC_GROUPS_TYPES.find((known) => known === type);
    if (dynamicGroupsType === undefined) {
      this.#refuse('dynamic_groups_type', `must be one of ${DYNAMIC_GROUPS_TYPES.join(', ')}`);
    }
    return {
      enforce: this.#boolean(original, 'enforce', 'enforce', false),
      dynamicGroups: this.#boolean(original, 'dynamic_groups', 'dynamic_groups', false),
      dynamicGroupsType,
      levels: levels.toSorted((left, right) => left.level - right.level),
      required,
      groups,
      subgroups,
      unrestricted: this.#text(original, 'unrestricted', 'unrestricted'),
      restricted: this.#text(original, 'restricted', 'restricted'),
      original,
      fileName: this.#fileName,
    };
  }

  #level(entry: Record<string, unknown>, at: string): LevelMark {
    const level = entry.lvl;
    if (typeof level !== 'number' || !Number.isInteger(level) || level < 1 || level > 10_000) {
      this.#refuse(`${at}.lvl`, 'must be a whole number from 1 to 10000');
    }
    const css = entry.css ?? {};
    if (!isRecord(css) || Object.values(css).some((value) => typeof value !== 'string')) {
      this.#refuse(`${at}.css`, 'must be a mapping of names to texts');
    }
    this.#unique(`level ${level}`, `${at}.lvl`);
    return { ...this.#named(entry, at, 'level'), level, css: css as Record<string, string> };
  }

  #required(entry: Record<string, unknown>, at: string): RequiredMark {
    const requireLevel = entry.require_lvl;
    if (requireLevel !== undefined && (typeof requireLevel !== 'number' || !Number.isInteger(requireLevel))) {
      this.#refuse(`${at}.require_lvl`, 'must be a whole number');
    }
    return {
      ...this.#named(entry, at, 'required'),
      requireLevel,
      isRequiredGroup: this.#boolean(entry, 'is_required_group', `${at}.is_required_group`, false),
    };
  }

  #group(entry: Record<string, unknown>, at: string): GroupMark {
    const solitary = entry.solitary_display_name;
    return {
      ...this.#named(entry, at, 'group'),
      autoSelect: this.#boolean(entry, 'auto_select', `${at}.auto_select`, false),
      solitaryDisplayName:
        solitary === undefined || solitary === null
          ? undefined
          : this.#text(entry, 'solitary_display_name', `${at}.solitary_display_name`).toUpperCase(),
    };
  }

  #subgroup(entry: Record<string, unknown>, at: string, groups: readonly GroupMark[]): SubgroupMark {
    const group = (key: string): string | undefined => {
      if (entry[key] === undefined || entry[key] === null) return undefined;
      const wanted = this.#text(entry, key, `${at}.${key}`).toUpperCase();
      const found = groups.find((known) => known.shortName === wanted || known.name === wanted);
      if (!found) this.#refuse(`${at}.${key}`, `names the group ${wanted}, which is not defined`);
      return found.shortName;
    };
    return {
      ...this.#named(entry, at, 'subgroup'),
      autoSelect: this.#boolean(entry, 'auto_select', `${at}.auto_select`, false),
      requireGroup: group('require_group'),
      limitedToGroup: group('limited_to_group'),
    };
  }

  #named(entry: Record<string, unknown>, at: string, kind: string): NamedMark {
    const name = this.#text(entry, 'name', `${at}.name`).toUpperCase();
    const shortName = this.#text(entry, 'short_name', `${at}.short_name`).toUpperCase();
    for (const [key, value] of [
      ['name', name],
      ['short_name', shortName],
    ] as const) {
      if (RESERVED_NAMES.includes(value)) this.#refuse(`${at}.${key}`, `must not be the reserved word ${value}`);
      if (/[/,]/.test(value)) this.#refuse(`${at}.${key}`, 'must not contain / or ,');
    }
    this.#unique(`${kind} ${name}`, `${at}.name`);
    if (shortName !== name) this.#unique(`${kind} ${shortName}`, `${at}.short_name`);
    const aliases = entry.aliases ?? [];
    if (!Array.isArray(aliases) || aliases.some((alias) => typeof alias !== 'string')) {
      this.#refuse(`${at}.aliases`, 'must be a list of texts');
    }
    return {
      name,
      shortName,
      aliases: aliases.map((alias: string) => alias.toUpperCase()),
      description: entry.description === undefined ? '' : this.#text(entry, 'description', `${at}.description`),
      parameters: Object.fromEntries(
        Object.entries(entry).filter(([key, value]) => !GENERAL_KEYS.includes(key) && value !== null),
      ),
    };
  }

  #entries(key: string): [Record<string, unknown>, string][] {
    const list = this.#original[key] ?? [];
    if (!Array.isArray(list)) this.#refuse(key, 'must be a list');
    return list.map((entry: unknown, index) => {
      const at = `${key}[${index}]`;
      if (!isRecord(entry)) this.#refuse(at, 'must be a mapping of keys');
      return [entry, at];
    });
  }

  #text(entry: Record<string, unknown>, key: string, at: string): string {
    const value = entry[key];
    if (typeof value !== 'string' || value.trim() === '') this.#refuse(at, 'must be a string that is not empty');
    return value.trim();
  }

  #boolean(entry: Record<string, unknown>, key: string, at: string, otherwise: boolean): boolean {
    const value = entry[key] ?? otherwise;
    if (typeof value !== 'boolean') this.#refuse(at, 'must be true or false');
    return value;
  }

  #unique(name: string, at: string): void {
    const first = this.#seen.get(name);
    if (first !== undefined) this.#refuse(at, `repeats ${name}, which ${first} defines`);
    this.#seen.set(name, at);
  }

  #refuse(key: string, reason: string): never {
    return refuse(this.#fileName, key, reason);
  }
}
