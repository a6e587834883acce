import { BUILTIN_TYPES } from './builtin-types.ts';

/**
 * The types of values that sources may offer: those of every installation, and those that
 * extensions add.
 */
export class SupportedTypes {
  readonly #added = new Map<string, string | null>();

  has(type: string): boolean {
    return Object.hasOwn(BUILTIN_TYPES, type) || this.#added.has(type);
  }

  isBuiltIn(type: string): boolean {
    return Object.hasOwn(BUILTIN_TYPES, type);
  }

  /** Adds a type, replacing an added one of the same name. Types of every installation stay as they are. */
  add(type: string, expression: string | null): void {
    if (!this.isBuiltIn(type)) this.#added.set(type, expression);
  }

  /**
   * Returns the expressions that detect these types, the most specific first; null for types that
   * are not detected.
   */
  detection(types: ReadonlySet<string>): Readonly<Record<string, string | null>> {
    const all = [...DETECTED, ...this.#added, ...UNDETECTED];
    return Object.fromEntries(all.filter(([type]) => types.has(type)));
  }
}

const BUILTIN = Object.entries(BUILTIN_TYPES);
const DETECTED = BUILTIN.filter(([, expression]) => expression !== null);
const UNDETECTED = BUILTIN.filter(([, expression]) => expression === null);
