import { LRUCache } from 'lru-cache';
import { InvalidInput, messageOf } from '../errors/errors.ts';
import { DEFAULT_CLASSIFICATION } from './builtin-definitions.ts';
import type { AccessRules, ClassificationDefinition } from './classification-definition.ts';
import { accessRulesOf, readClassificationDefinition } from './classification-definition.ts';
import { ClassificationScheme, type ParsedDefinition, parsedDefinition } from './classification-scheme.ts';
import {
  type ClassificationParts,
  completeClassification,
  intersection,
  isWellOrdered,
  type JoinNames,
  type ReadOptions,
  raisedLevel,
  readClassification,
  shared,
  union,
  unionOfBoth,
  writeClassification,
} from './classification-text.ts';

export type { ClassificationDefinition } from './classification-definition.ts';
export type { ParsedDefinition } from './classification-scheme.ts';
export type { ClassificationParts } from './classification-text.ts';

/** The hidden fields of a classified document, from which searches decide who may see it. */
export interface AccessParts {
  readonly __access_lvl__: number;
  readonly __access_req__: readonly string[];
  /** `['__EMPTY__']` where no group is named, so that a query can ask for that. */
  readonly __access_grp1__: readonly string[];
  readonly __access_grp2__: readonly string[];
}

/** Stands in an index for "no group". */
export const NO_GROUP = '__EMPTY__';

type Optional = string | null | undefined;

export interface NormaliseOptions extends ReadOptions {
  /** Short names (`TLP:A//CMR`) instead of long ones. Default false. */
  readonly short?: boolean;
}

export interface EngineOptions {
  /**
   * Treatment of classifications while the definition is not enforced. `keep` (default) normalises what
   * it can parse and takes `unrestricted` for the rest; `unrestricted` replaces every one, as written there.
   */
  readonly whenNotEnforced?: 'keep' | 'unrestricted';
}

const CACHE_ENTRIES = 10_000;

/**
 * Parses, compares and combines classifications of an installation.
 * Has no state but caches; results are frozen by type and may be shared. Every method that takes a string throws
 * InvalidInput `invalid_classification` when the definition is enforced and the string does not follow it.
 */
export class ClassificationEngine {
  readonly enforce: boolean;
  /** Long forms of what the definition names. */
  readonly unrestricted: string;
  readonly restricted: string;
  /** Names the file of the definition in messages. */
  readonly fileName: string;
  /** The sections of the definition that decide about access. */
  readonly accessRules: AccessRules;
  readonly #definition: ClassificationDefinition;
  readonly #scheme: ClassificationScheme;
  /** Set when every text is this one. */
  readonly #constant: string | undefined;
  readonly #texts = new LRUCache<string, string>({ max: CACHE_ENTRIES });
  readonly #parts = new LRUCache<string, ClassificationParts>({ max: CACHE_ENTRIES });
  readonly #access = new LRUCache<string, AccessParts>({ max: CACHE_ENTRIES });

  constructor(definition: ClassificationDefinition, options: EngineOptions = {}) {
    this.enforce = definition.enforce;
    this.fileName = definition.fileName;
    this.accessRules = accessRulesOf(definition);
    this.#definition = definition;
    this.#scheme = new ClassificationScheme(definition);
    this.#constant =
      !definition.enforce && options.whenNotEnforced === 'unrestricted' ? definition.unrestricted : undefined;
    this.unrestricted = this.#constant ?? this.#end(definition, 'unrestricted');
    this.restricted = this.#constant ?? this.#end(definition, 'restricted');
  }

  /** Returns an engine that treats classifications so while the definition is not enforced. */
  whenNotEnforced(reading: NonNullable<EngineOptions['whenNotEnforced']>): ClassificationEngine {
    const isSo = (this.#constant === undefined) === (reading === 'keep');
    return this.enforce || isSo ? this : new ClassificationEngine(this.#definition, { whenNotEnforced: reading });
  }

  /** Level and marks as written, without raising the level. */
  parse(text: string, options: ReadOptions = {}): ClassificationParts {
    const key = `${optionKey(options)}${text}`;
    return memoized(this.#parts, key, () => this.#readLeniently(text, options));
  }

  /** The one way to write this classification. */
  normalise(text: string, options: NormaliseOptions = {}): string {
    if (this.#constant !== undefined) return this.#constant;
    const key = `${options.short ? 's' : 'l'}${optionKey(options)}${text}`;
    return memoized(this.#texts, key, () => this.#write(this.parse(text, options), options.short));
  }

  /** Returns true for an upper-case string in grammar order with all implied markings. */
  isValid(text: string, options: { readonly skipAutoSelect?: boolean } = {}): boolean {
    if (!this.enforce) return true;
    if (text !== text.toUpperCase()) return false;
    try {
      if (!isWellOrdered(this.#scheme, text)) return false;
      const written = this.#read(text, { skipAutoSelect: true });
      return isSameMarking(written, this.#read(this.normalise(text, options), { skipAutoSelect: true }));
    } catch {
      return false;
    }
  }

  /**
   * Returns true when a user with the clearance `user` may see a record classified `text`.
   * Neither side gets `auto_select` groups. A record without a classification is visible; so is every record while the
   * definition is not enforced.
   * @param ignoreInvalid an invalid `text` is not accessible instead of an error
   */
  isAccessible(user: string, text: string | null | undefined, ignoreInvalid = false): boolean {
    if (!this.enforce || text === null || text === undefined) return true;
    let wanted: ClassificationParts;
    try {
      wanted = this.parse(text, { skipAutoSelect: true, checkLimits: true });
    } catch (error) {
      if (ignoreInvalid) return false;
      throw error;
    }
    const own = this.parse(user, { skipAutoSelect: true });
    const shares = (mine: readonly string[], named: readonly string[]): boolean =>
      named.length === 0 || named.some((name) => mine.includes(name));
    return (
      own.level >= wanted.level &&
      wanted.required.every((name) => own.required.includes(name)) &&
      shares(own.groups, wanted.groups) &&
      shares(own.subgroups, wanted.subgroups)
    );
  }

  /**
   * Returns whether everyone who may see a record classified `outer` may see one classified `inner`.
   * False when either is invalid; true while the definition is not enforced.
   */
  isWithin(inner: string, outer: string): boolean {
    if (!this.enforce || inner === outer) return true;
    try {
      const [wanted, given] = [inner, outer].map((text) =>
        this.parse(text, { skipAutoSelect: true, checkLimits: true }),
      );
      if (wanted === undefined || given === undefined) return false;
      // A reader may have any one of the groups that `outer` names.
      const admits = (named: readonly string[], readers: readonly string[]) =>
        named.length === 0 || (readers.length > 0 && readers.every((name) => named.includes(name)));
      return (
        given.level >= wanted.level &&
        wanted.required.every((name) => given.required.includes(name)) &&
        admits(wanted.groups, given.groups) &&
        admits(wanted.subgroups, given.subgroups)
      );
    } catch {
      return false;
    }
  }

  /**
   * Combines two classifications: higher level, all required marks, the groups in both. When one is
   * missing or empty, returns the other, normalised. Throws also when both name groups and share none.
   */
  max(left: Optional, right: Optional, options: NormaliseOptions = {}): string {
    return this.#combine(left, right, options, Math.max, union, shared);
  }

  /** Intersects two classifications: lower level, common required marks, all groups if both name some. */
  min(left: Optional, right: Optional, options: NormaliseOptions = {}): string {
    return this.#combine(left, right, options, Math.min, intersection, unionOfBoth);
  }

  /** A user who has both clearances. Nothing is added by `auto_select`. */
  buildUser(left: Optional, right: Optional, options: NormaliseOptions = {}): string {
    return this.#combine(left, right, { ...options, skipAutoSelect: true }, Math.max, union, union);
  }

  /** A user who has only what both clearances have. Nothing is added by `auto_select`. */
  intersectUser(left: Optional, right: Optional, options: NormaliseOptions = {}): string {
    return this.#combine(left, right, { ...options, skipAutoSelect: true }, Math.min, intersection, intersection);
  }

  /**
   * Clearance of a user with the dynamic groups that the definition asks for: the domain of the address,
   * the groups of the account, or both. The same text when it asks for none.
   */
  withDynamicGroups(
    classification: string,
    user: { readonly email?: string | undefined; readonly groups?: readonly string[] },
  ): string {
    const { dynamicGroups, dynamicGroupsType } = this.#scheme.definition;
    if (!dynamicGroups || !this.enforce) return classification;
    const names: string[] = [];
    const domain = user.email?.split('@')[1];
    if (dynamicGroupsType !== 'group' && domain) names.push(domain);
    if (dynamicGroupsType !== 'email') names.push(...(user.groups ?? []));
    const groups = names.map((name) => name.toUpperCase().trim()).filter((name) => /^[^/,]+$/.test(name));
    if (groups.length === 0) return classification;
    const { shortName = '' } = this.#scheme.definition.levels[0] ?? {};
    return this.buildUser(classification, `${shortName}//REL ${groups.join(', ')}`);
  }

  /** Returns the hidden fields of a document, or with `user` those of a clearance (no `auto_select`). */
  accessParts(text: string, options: { readonly user?: boolean } = {}): AccessParts {
    return memoized(this.#access, `${options.user ? 'u' : 'd'}${text}`, () => {
      const parts = this.parse(text, { skipAutoSelect: options.user ?? false });
      return {
        __access_lvl__: raisedLevel(this.#scheme, parts.level, parts.required),
        __access_req__: parts.required,
        __access_grp1__: parts.groups.length > 0 ? parts.groups : [NO_GROUP],
        __access_grp2__: parts.subgroups.length > 0 ? parts.subgroups : [NO_GROUP],
      };
    });
  }

  /** Short names of every required mark of the definition. */
  get requiredNames(): readonly string[] {
    return this.#scheme.definition.required.map((mark) => mark.shortName);
  }

  /** The definition as clients of the public systems read it. */
  parsedDefinition(): ParsedDefinition {
    return parsedDefinition(this.#scheme, { unrestricted: this.unrestricted, restricted: this.restricted });
  }

  /** @throws InvalidInput `invalid_classification_definition` */
  #end(definition: ClassificationDefinition, key: 'unrestricted' | 'restricted'): string {
    try {
      return this.#write(this.#read(definition[key], { skipAutoSelect: true }));
    } catch (error) {
      const message = `${definition.fileName}: ${key} is not a classification of this definition: ${messageOf(error)}`;
      throw new InvalidInput('invalid_classification_definition', message, { at: key, cause: error });
    }
  }

  #combine(
    left: Optional,
    right: Optional,
    options: NormaliseOptions,
    level: (left: number, right: number) => number,
    required: JoinNames,
    groups: JoinNames,
  ): string {
    if (this.#constant !== undefined) return this.#constant;
    if (!left || !right) return this.normalise(left || right || this.unrestricted, options);
    const [a, b] = [this.parse(left, options), this.parse(right, options)];
    const joined = {
      level: level(a.level, b.level),
      required: required(a.required, b.required, 'required marks'),
      groups: groups(a.groups, b.groups, 'groups'),
      subgroups: groups(a.subgroups, b.subgroups, 'subgroups'),
    };
    return this.#write(completeClassification(this.#scheme, joined, options), options.short);
  }

  #readLeniently(text: string, options: ReadOptions): ClassificationParts {
    if (this.enforce) return this.#read(text, options);
    try {
      return this.#read(this.#constant ?? text, options);
    } catch {
      return this.#read(this.#scheme.definition.unrestricted, options);
    }
  }

  #read(text: string, options: ReadOptions): ClassificationParts {
    return readClassification(this.#scheme, text, options);
  }

  #write(parts: ClassificationParts, short = false): string {
    return writeClassification(this.#scheme, parts, !short);
  }
}

/**
 * Returns the engine of a classification.yml, by default the Traffic Light Protocol, not enforced.
 * @throws InvalidInput `invalid_classification_definition`, naming file and key.
 */
export function loadClassification(
  yamlText: string = DEFAULT_CLASSIFICATION,
  fileName = 'classification.yml',
  options: EngineOptions = {},
): ClassificationEngine {
  return new ClassificationEngine(readClassificationDefinition(yamlText, fileName), options);
}

/** Returns true for the same level and the same marks in the same order. */
function isSameMarking(a: ClassificationParts, b: ClassificationParts): boolean {
  const isSameList = (one: readonly string[], other: readonly string[]) =>
    one.length === other.length && one.every((mark, index) => mark === other[index]);
  return (
    a.level === b.level &&
    isSameList(a.required, b.required) &&
    isSameList(a.groups, b.groups) &&
    isSameList(a.subgroups, b.subgroups)
  );
}

function optionKey(options: ReadOptions): string {
  const on = (value: boolean) => (value ? '1' : '0');
  const { skipAutoSelect = false } = options;
  return `${on(skipAutoSelect)}${on(options.checkLimits ?? !skipAutoSelect)} `;
}

/** Returns the cached value of a key, or computes and caches it. */
function memoized<V extends NonNullable<unknown>>(cache: LRUCache<string, V>, key: string, compute: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = compute();
  cache.set(key, value);
  return value;
}
