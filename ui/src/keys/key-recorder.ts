import { beginsWithCharacter } from './key-map.ts';
import { isModifier, type Keystroke, nameOf } from './key-sequence.ts';

export interface RecordedKeys {
  /** The keys so far, as the key map writes them. */
  readonly keys: string;
  /** False: another key may follow, `g` and then `h`. */
  readonly isComplete: boolean;
}

/**
 * Records the keys that a person wants for a command: one key, or a character and the key after it.
 * @param before the key that was pressed before; an empty string at first
 * @returns undefined for a key that only prepares the next one
 */
export function recordKey(before: string, stroke: Keystroke): RecordedKeys | undefined {
  if (isModifier(stroke)) return undefined;
  const name = nameOf(stroke);
  if (before !== '') return { keys: `${before} ${name}`, isComplete: true };
  return { keys: name, isComplete: !beginsWithCharacter(name) };
}
