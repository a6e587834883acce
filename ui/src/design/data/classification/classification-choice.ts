import type { ClassificationStyles } from './classification-look.ts';

/** The names of a definition, `c12nDef` of GET /api/v1/configs: short to long, and aliases. */
export interface ClassificationNames extends ClassificationStyles {
  readonly levels_map_stl?: Names;
  readonly access_req_map_stl?: Names;
  readonly access_req_aliases?: AliasLists;
  readonly groups_map_stl?: Names;
  readonly groups_aliases?: AliasLists;
  readonly subgroups_map_stl?: Names;
  readonly subgroups_aliases?: AliasLists;
  readonly description?: Names;
  readonly dynamic_groups?: boolean;
}

type Names = Readonly<Record<string, string>>;
type AliasLists = Readonly<Record<string, readonly string[]>>;

/** The chosen parts of a classification, by short names. */
export interface ClassificationChoice {
  /** Undefined: nothing is chosen. */
  readonly level: string | undefined;
  readonly required: readonly string[];
  readonly groups: readonly string[];
  readonly subgroups: readonly string[];
}

const NOTHING: ClassificationChoice = { level: undefined, required: [], groups: [], subgroups: [] };

/** Returns the parts of a classification; names that the definition does not know are left out. */
export function readChoice(text: string, names: ClassificationNames): ClassificationChoice {
  const [first = '', ...rest] = text.toUpperCase().split('//');
  const [level] = find(first.trim(), names.levels_map_stl, single(names.levels_aliases));
  if (level === undefined) return NOTHING;
  const chosen = { required: new Set<string>(), groups: new Set<string>(), subgroups: new Set<string>() };
  for (const piece of rest.flatMap((part) => part.split('/'))) {
    for (const name of piece
      .replace(/^\s*REL(?: TO)? /, '')
      .split(',')
      .map((one) => one.trim())) {
      const required = find(name, names.access_req_map_stl, names.access_req_aliases);
      const groups = required.length > 0 ? [] : find(name, names.groups_map_stl, names.groups_aliases);
      const isKnown = required.length + groups.length > 0;
      const subgroups = isKnown ? [] : find(name, names.subgroups_map_stl, names.subgroups_aliases);
      for (const one of required) chosen.required.add(one);
      for (const one of groups) chosen.groups.add(one);
      for (const one of subgroups) chosen.subgroups.add(one);
      const isDynamic = names.dynamic_groups === true && !isKnown && subgroups.length === 0;
      if (isDynamic && name !== '') chosen.groups.add(name);
    }
  }
  return { level, required: [...chosen.required], groups: [...chosen.groups], subgroups: [...chosen.subgroups] };
}

/** Returns the classification of a choice, with long names; the server adds what follows from it. */
export function writeChoice({ level, required, groups, subgroups }: ClassificationChoice, names: ClassificationNames) {
  if (level === undefined) return '';
  const long = (all: readonly string[], table: Names = {}) => all.map((name) => table[name] ?? name);
  const released = groups.length === 0 ? [] : [`REL TO ${long(groups, names.groups_map_stl).join(', ')}`];
  const parts = [
    names.levels_map_stl?.[level] ?? level,
    long(required, names.access_req_map_stl).join('/'),
    [...released, ...long(subgroups, names.subgroups_map_stl)].join('/'),
  ];
  return parts.filter((part) => part !== '').join('//');
}

/** Returns the short names that a name, long, short or an alias, stands for. */
function find(name: string, longByShort: Names = {}, aliases: AliasLists = {}): readonly string[] {
  const isShort = Object.hasOwn(longByShort, name);
  const short = isShort ? name : Object.keys(longByShort).find((one) => longByShort[one] === name);
  if (short !== undefined) return [short];
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? []) : [];
}

function single(aliases: Names = {}): AliasLists {
  return Object.fromEntries(Object.entries(aliases).map(([alias, short]) => [alias, [short]]));
}
