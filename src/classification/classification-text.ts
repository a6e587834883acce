import { InvalidInput } from '../errors/errors.ts';
import type { ClassificationScheme } from './classification-scheme.ts';

/** The parts of a classification: a level number and sorted, unique short names. */
export interface ClassificationParts {
  readonly level: number;
  readonly required: readonly string[];
  readonly groups: readonly string[];
  readonly subgroups: readonly string[];
}

export interface ReadOptions {
  /**
   * The text is the clearance of a user: nothing is added by `auto_select`, and a subgroup that is
   * limited to a group may stand beside others, since a user may be in several. Default false.
   */
  readonly skipAutoSelect?: boolean;
  /** Rejects groups beside a limited subgroup. Default: unless `skipAutoSelect`. */
  readonly checkLimits?: boolean;
}

/** Longer texts are refused before they are looked at. */
const MAX_LENGTH = 4096;

/**
 * Parses a string of the form `LEVEL[//REQUIRED/…][//REL TO GROUP, …][/SUBGROUP…]`.
 * Case does not matter, and the sections after the level may come in any order.
 * @throws InvalidInput `invalid_classification`
 */
export function readClassification(
  scheme: ClassificationScheme,
  text: string,
  options: ReadOptions,
): ClassificationParts {
  if (text.length > MAX_LENGTH) throw invalid(`A classification has at most ${MAX_LENGTH} characters.`);
  const [levelText = '', ...rest] = text.toUpperCase().split('//');
  const [level] = scheme.levels.find(levelText.trim());
  if (!level) {
    throw invalid(`Classification level '${levelText}' was not found in your classification definition.`);
  }

  const required = new Set<string>();
  const groups = new Set<string>();
  const subgroups = new Set<string>();
  const pieces = rest.flatMap((part) => part.split('/')).map((piece) => piece.trim());
  const others = pieces.filter((piece) => {
    const marks = scheme.required.find(piece);
    for (const mark of marks) required.add(mark.shortName);
    return marks.length === 0 && piece !== '';
  });
  const unknownGroups = readGroupsAndSubgroups(scheme, others, groups, subgroups);
  if (unknownGroups.length > 0) {
    throw invalid(`Unparsable classification parts: ${unknownGroups.join(', ')}`);
  }
  return completeClassification(
    scheme,
    { level: level.level, required: [...required], groups: [...groups], subgroups: [...subgroups] },
    options,
  );
}

/**
 * Adds what the subgroups require and what is selected by itself.
 * @throws InvalidInput `invalid_classification` when groups stand beside a subgroup that is limited to another.
 */
export function completeClassification(
  scheme: ClassificationScheme,
  parts: ClassificationParts,
  options: ReadOptions,
): ClassificationParts {
  const groups = new Set(parts.groups);
  const subgroups = new Set(parts.subgroups);
  completeGroups(scheme, groups, subgroups, options);
  return {
    level: parts.level,
    required: [...parts.required].sort(),
    groups: [...groups].sort(),
    subgroups: [...subgroups].sort(),
  };
}

/** Returns true when required marks precede groups, in at most two sections of a parseable string. */
export function isWellOrdered(scheme: ClassificationScheme, text: string): boolean {
  const [, first, second, ...more] = text.split('//');
  if (first === '' || second === '' || more.length > 0) return false;
  const isRequired = (piece: string): boolean => scheme.required.find(piece).length > 0;
  return second === undefined || (first ?? '').split('/').every(isRequired);
}

/** Fills the sets; returns the unknown group names. */
function readGroupsAndSubgroups(
  scheme: ClassificationScheme,
  pieces: readonly string[],
  groups: Set<string>,
  subgroups: Set<string>,
): string[] {
  const unknown: string[] = [];
  const dynamic = scheme.definition.dynamicGroups;
  for (const piece of pieces) {
    const list = /^REL (?:TO )?(.*)$/.exec(piece)?.[1];
    if (list !== undefined) {
      for (const name of list.split(',').map((item) => item.trim())) {
        if (name === '') continue;
        const marks = scheme.groups.find(name);
        for (const mark of marks) groups.add(mark.shortName);
        if (marks.length === 0 && dynamic) groups.add(name);
        if (marks.length === 0 && !dynamic) unknown.push(name);
      }
      continue;
    }
    const marks = scheme.subgroups.find(piece);
    for (const mark of marks) subgroups.add(mark.shortName);
    if (marks.length > 0) continue;
    const solitary = scheme.groups.aliases.get(piece) ?? [];
    const [only, second] = solitary;
    if (only && !second) groups.add(only.shortName);
    else if (only) throw invalid(`The alias ${piece} stands for several groups; write REL TO in front of it.`);
    else throw invalid(`Unknown Subgroup: ${piece}`);
  }
  return unknown;
}

/** Adds what subgroups require and what is selected by itself; refuses what may not stand together. */
function completeGroups(
  scheme: ClassificationScheme,
  groups: Set<string>,
  subgroups: Set<string>,
  options: ReadOptions,
): void {
  for (const subgroup of subgroups) {
    const requiredGroup = scheme.subgroups.byShortName(subgroup)?.requireGroup;
    if (requiredGroup !== undefined) groups.add(requiredGroup);
  }
  if (options.checkLimits ?? !options.skipAutoSelect) checkLimits(scheme, groups, subgroups);
  if (options.skipAutoSelect) return;
  if (groups.size > 0) for (const group of scheme.autoSelectedGroups) groups.add(group);
  if (subgroups.size > 0) for (const subgroup of scheme.autoSelectedSubgroups) subgroups.add(subgroup);
}

function checkLimits(scheme: ClassificationScheme, groups: ReadonlySet<string>, subgroups: ReadonlySet<string>): void {
  for (const subgroup of subgroups) {
    const limit = scheme.subgroups.byShortName(subgroup)?.limitedToGroup;
    if (limit === undefined) continue;
    // Groups that select themselves may stand beside the one that is allowed, or a normal form could not be read again.
    const tolerated = groups.has(limit) ? [limit, ...scheme.autoSelectedGroups] : [limit];
    if ([...groups].some((group) => !tolerated.includes(group))) {
      throw invalid(`Subgroup ${subgroup} is limited to group ${limit} (found: ${[...groups].sort().join(', ')})`);
    }
  }
}

/** The level, or the higher one that a required mark asks for. */
export function raisedLevel(scheme: ClassificationScheme, level: number, required: readonly string[]): number {
  let raised = level;
  for (const name of required) raised = Math.max(raised, scheme.required.byShortName(name)?.requireLevel ?? 0);
  return raised;
}

/** Returns the normal form, every list sorted, with long or short names. */
export function writeClassification(scheme: ClassificationScheme, parts: ClassificationParts, long: boolean): string {
  const level = scheme.level(raisedLevel(scheme, parts.level, parts.required));
  let text = level ? (long ? level.name : level.shortName) : '';
  const names = (shortNames: readonly string[], table: { longName(shortName: string): string }): string[] =>
    (long ? shortNames.map((name) => table.longName(name)) : [...shortNames]).sort();

  const isGroup = (name: string): boolean => scheme.required.byShortName(name)?.isRequiredGroup ?? false;
  const plain = names(
    parts.required.filter((name) => !isGroup(name)),
    scheme.required,
  );
  if (plain.length > 0) text += `//${plain.join('/')}`;
  const groupPart = names(parts.required.filter(isGroup), scheme.required);
  const groups = writeGroups(scheme, parts.groups, long);
  if (groups !== undefined) groupPart.push(groups);
  groupPart.push(...names(parts.subgroups, scheme.subgroups));
  return groupPart.length > 0 ? `${text}//${groupPart.join('/')}` : text;
}

function writeGroups(scheme: ClassificationScheme, groups: readonly string[], long: boolean): string | undefined {
  const [first] = groups;
  if (first === undefined) return undefined;
  const solitary = groups.length === 1 ? scheme.groups.byShortName(first)?.solitaryDisplayName : undefined;
  if (solitary !== undefined) return solitary;
  if (long)
    return `REL TO ${groups
      .map((group) => scheme.groups.longName(group))
      .sort()
      .join(', ')}`;
  return `REL ${(aliasOfAll(scheme, groups) ?? [...groups].sort()).join(', ')}`;
}

/** The alias that stands for exactly these groups, if they are several. */
function aliasOfAll(scheme: ClassificationScheme, groups: readonly string[]): string[] | undefined {
  if (groups.length < 2) return undefined;
  for (const [alias, marks] of scheme.groups.aliases) {
    if (marks.length === groups.length && marks.every((mark) => groups.includes(mark.shortName))) return [alias];
  }
  return undefined;
}

export function invalid(message: string): InvalidInput {
  return new InvalidInput('invalid_classification', message);
}

/** Joins the names of two classifications; `what` they are stands in messages. */
export type JoinNames = (left: readonly string[], right: readonly string[], what: string) => readonly string[];

/** Sorted, each once. */
export const union: JoinNames = (left, right) => [...new Set([...left, ...right])].sort();

/** All names if both lists have some. */
export const unionOfBoth: JoinNames = (left, right, what) =>
  left.length > 0 && right.length > 0 ? union(left, right, what) : [];

/** In the order of `left`. */
export const intersection: JoinNames = (left, right) => left.filter((name) => right.includes(name));

/** Returns the names in both lists, where an empty list stands for all users. */
export const shared: JoinNames = (left, right, what) => {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  const both = intersection(left, right, what);
  if (both.length > 0) return both;
  const list = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`;
  throw invalid(`Could not find any intersection between the ${what}. ${list(left)} & ${list(right)}`);
};
