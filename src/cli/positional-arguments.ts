import { WrongUse } from './command.ts';

/** The one word that a command takes. `usage`: `user create NAME`. @throws WrongUse */
export function onlyWord(words: readonly string[], usage: string): string {
  const [word] = words;
  if (word === undefined || words.length > 1) throw new WrongUse(`Use: triad ${usage}.`);
  return word;
}

/** @throws WrongUse when there are any; `hint` says what to give instead */
export function noWords(words: readonly string[], command: string, hint = ''): void {
  if (words.length > 0) throw new WrongUse(`${command} takes no arguments: ${words.join(' ')}.${hint}`);
}
