import type { en } from '../../i18n/en/index.ts';

export type KeyName = keyof (typeof en)['design']['keyNames'];

/** A key that has a name in each language, or the letter or sign of any other one. */
export type KeyPart =
  | { readonly name: KeyName; readonly sign?: undefined }
  | { readonly sign: string; readonly name?: undefined };

const ARROWS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };
const NAMED: ReadonlySet<string> = new Set<KeyName>([
  ...(['Ctrl', 'Alt', 'Shift', 'Enter', 'Escape', 'Space', 'Tab', 'Home', 'End'] as const),
  ...(['PageUp', 'PageDown', 'Delete', 'Backspace'] as const),
]);

/**
 * Returns the keys of a sequence as the key map writes them (`Ctrl+k`, `g h`, `Shift+ArrowDown`), each
 * as it stands on a keyboard. A letter that is pressed with Ctrl or Alt is a capital.
 */
export function keyParts(sequence: string): KeyPart[] {
  return sequence.split(' ').flatMap((chord) => {
    // A plus at the end is a key itself.
    const keys = chord.split(/\+(?=.)/u);
    return keys.map((key): KeyPart => {
      const name = key === 'Esc' ? 'Escape' : key;
      if (isNamed(name)) return { name };
      return { sign: ARROWS[name] ?? (keys.length > 1 ? name.toUpperCase() : name) };
    });
  });
}

function isNamed(name: string): name is KeyName {
  return NAMED.has(name);
}
