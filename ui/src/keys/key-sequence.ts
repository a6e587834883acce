/** The parts of a keyboard event that name a key; `KeyboardEvent` has them. */
export interface Keystroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Time in ms within which the next key of a sequence has to come. */
export const SEQUENCE_MS = 1000;

const NAMED: Readonly<Record<string, string>> = { ' ': 'Space', Esc: 'Escape' };

/** Returns a keystroke as the key map writes it: `j`, `J`, `Ctrl+k`, `Shift+ArrowDown`. */
export function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Keystroke): string {
  const name = NAMED[key] ?? key;
  const isCharacter = [...name].length === 1;
  const isControl = ctrlKey || metaKey;
  // A Mac types [ ] | and the like with Option on most layouts: the character says so itself.
  const isTypedByAlt = altKey && !isControl && isCharacter && !/[\p{L}\p{N}]/u.test(name);
  const parts = [
    isControl ? 'Ctrl' : '',
    altKey && !isTypedByAlt ? 'Alt' : '',
    // The character itself says that Shift was held: `?` and `J` are other keys than `/` and `j`.
    shiftKey && !isCharacter ? 'Shift' : '',
    isControl && isCharacter ? name.toLowerCase() : name,
  ];
  return parts.filter((part) => part !== '').join('+');
}

const MODIFIERS: ReadonlySet<string> = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead']);

/** Returns whether a keystroke only prepares the next one. */
export function isModifier({ key }: Pick<Keystroke, 'key'>): boolean {
  return MODIFIERS.has(key);
}

/** Follows keystrokes and finds the sequence that they complete. Not shared between windows. */
export class KeySequence {
  #pending = '';
  #at = 0;

  /**
   * Returns the completed sequence out of those on offer; `pending` when the keystroke begins or
   * continues one; undefined when it is of no use here.
   * @param time in ms
   */
  press(
    stroke: Keystroke,
    offered: Iterable<string>,
    time: number,
  ): { readonly sequence: string } | 'pending' | undefined {
    if (isModifier(stroke)) return undefined;
    const isFresh = this.#pending === '' || time - this.#at > SEQUENCE_MS;
    const name = nameOf(stroke);
    const sequences = [...offered];
    // A key that does not continue the sequence stands for itself.
    for (const typed of isFresh ? [name] : [`${this.#pending} ${name}`, name]) {
      this.#pending = '';
      if (sequences.includes(typed)) return { sequence: typed };
      if (sequences.some((sequence) => sequence.startsWith(`${typed} `))) {
        this.#pending = typed;
        this.#at = time;
        return 'pending';
      }
    }
    return undefined;
  }
}
