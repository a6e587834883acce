import { RE2JS } from 're2js';
import { BUILTIN_TYPES } from './builtin-types.ts';

/** A type that an extension added. */
interface AddedType {
  readonly expression: string | null;
  /** Validates values of lookups, in linear time. */
  readonly pattern: RE2JS | undefined;
  /** Name of the extension. */
  readonly owner: string;
}

/** Characters of a value that a message shows. */
const SHOWN_LENGTH = 100;

/**
 * The types of values that sources may offer: those of every installation, and those that
 * extensions add.
 */
export class SupportedTypes {
  readonly #added = new Map<string, AddedType>();

  has(type: string): boolean {
    return Object.hasOwn(BUILTIN_TYPES, type) || this.#added.has(type);
  }

  isBuiltIn(type: string): boolean {
    return Object.hasOwn(BUILTIN_TYPES, type);
  }

  /** Returns the names of all types. */
  names(): readonly string[] {
    return [...Object.keys(BUILTIN_TYPES), ...this.#added.keys()];
  }

  /**
   * Adds a type. Returns false if there is one of this name, which stays as it is.
   * @param expression RE2 syntax that JavaScript accepts, too
   */
  add(type: string, expression: string | null, owner: string): boolean {
    if (this.has(type)) return false;
    this.#added.set(type, { expression, owner, pattern: expression === null ? undefined : RE2JS.compile(expression) });
    return true;
  }

  /** Removes the types of an extension whose loading failed. */
  removeOf(owner: string): void {
    for (const [type, added] of this.#added) if (added.owner === owner) this.#added.delete(type);
  }

  /** Returns why lookups of a type refuse a value; undefined if they accept it. */
  problemOf(type: string, value: string): string | undefined {
    const added = this.#added.get(type);
    if (added?.pattern === undefined || added.pattern.matcher(value).find()) return undefined;
    const shown = value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH)}…` : value;
    return `"${shown}" is not a value of the type ${type}, which has to match ${added.expression}`;
  }

  /**
   * Returns the expressions that detect these types, the most specific first; null for types that
   * are not detected.
   */
  detection(types: ReadonlySet<string>): Readonly<Record<string, string | null>> {
    const added = [...this.#added].map(([type, { expression }]) => [type, expression] as const);
    return Object.fromEntries([...DETECTED, ...added, ...UNDETECTED].filter(([type]) => types.has(type)));
  }
}

const BUILTIN = Object.entries(BUILTIN_TYPES);
const DETECTED = BUILTIN.filter(([, expression]) => expression !== null);
const UNDETECTED = BUILTIN.filter(([, expression]) => expression === null);
