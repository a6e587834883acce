import { type KeptStrings, keep, readKept } from '../../json/browser-storage.ts';
import { isSameValue } from '../../json/equality.ts';
import { changedMembers } from './form-state.ts';

/** Values that were typed and not saved, and those that were stored when typing began. */
interface Draft<Values> {
  readonly before: Values;
  readonly typed: Values;
}

/** Returns the key under which a browser keeps a draft. @param name begins with the user */
export function draftKey(name: string): string {
  return `triad.draft.${name}`;
}

/** Values of a form that is opened. */
interface OpenedValues<Values> {
  readonly values: Values;
  /** The stored values as the person saw them: of members that were typed over, those of that time. */
  readonly seen: Values;
}

/**
 * Returns stored values with those over them that were typed in this browser and not saved.
 * Values that another person has changed since then, and that were not typed over, stay as stored.
 */
export function withDraft<Values extends object>(
  name: string,
  stored: Values,
  storage?: KeptStrings,
): OpenedValues<Values> {
  const kept = readKept(draftKey(name), storage);
  if (!isDraft(kept, stored)) return { values: stored, seen: stored };
  const typed = changedMembers(kept.typed, kept.before);
  const isTyped = ([member]: [string, unknown]) => member in stored && member in typed;
  const typedOf = (values: Values) => Object.fromEntries(Object.entries(values).filter(isTyped));
  return { values: { ...stored, ...typedOf(kept.typed) }, seen: { ...stored, ...typedOf(kept.before) } };
}

/** Keeps typed values over a reload; those that are stored need no draft. */
export function keepDraft<Values extends object>(
  name: string,
  { before, typed }: Draft<Values>,
  storage?: KeptStrings,
): void {
  keep(draftKey(name), isSameValue(before, typed) ? undefined : { before, typed }, storage);
}

export function forgetDraft(name: string, storage?: KeptStrings): void {
  keep(draftKey(name), undefined, storage);
}

/** Returns the text of a field that was typed in this browser; empty when there is none. */
export function readTextDraft(name: string, storage?: KeptStrings): string {
  const kept = readKept(draftKey(name), storage);
  return typeof kept === 'string' ? kept : '';
}

/** Keeps the text of a field over a reload; an empty one is forgotten. */
export function keepTextDraft(name: string, text: string, storage?: KeptStrings): void {
  keep(draftKey(name), text === '' ? undefined : text, storage);
}

/** Another version of the program may have kept values of other kinds. */
function isDraft<Values extends object>(kept: unknown, like: Values): kept is Draft<Values> {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'before' in kept &&
    'typed' in kept &&
    [kept.before, kept.typed].every((values) => hasKindsOf(values, like))
  );
}

function hasKindsOf(values: unknown, like: object): boolean {
  if (typeof values !== 'object' || values === null) return false;
  const given = new Map<string, unknown>(Object.entries(values));
  return Object.entries(like).every(([name, value]) => kindOf(given.get(name)) === kindOf(value));
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
