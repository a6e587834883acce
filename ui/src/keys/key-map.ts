/** The heading of a command in the list of keys. */
export type CommandGroup = 'go' | 'page' | 'list' | 'triage' | 'case';

export interface KeyBinding {
  readonly group: CommandGroup;
  /**
   * Keys as `KeyboardEvent.key` gives them, so that they follow the layout of the keyboard. A space
   * separates the keys of a sequence, `Ctrl+` stands for Ctrl or Command; `|` separates alternatives.
   */
  readonly keys: string;
}

/**
 * The one key map: every command that has a key, everywhere. The page at hand decides which commands
 * it offers (`useCommands`); the palette, the list of keys, menus and tooltips read from here.
 */
export const KEY_MAP = {
  goHome: { group: 'go', keys: 'g h' },
  goAlerts: { group: 'go', keys: 'g a' },
  goCases: { group: 'go', keys: 'g c' },
  goViews: { group: 'go', keys: 'g v' },
  goAnalytics: { group: 'go', keys: 'g n' },
  goFiles: { group: 'go', keys: 'g f' },
  goLookUp: { group: 'go', keys: 'g e' },
  goSettings: { group: 'go', keys: 'g s' },
  palette: { group: 'page', keys: 'Ctrl+k' },
  keyHelp: { group: 'page', keys: '?' },
  query: { group: 'page', keys: '/' },
  close: { group: 'page', keys: 'Escape' },
  create: { group: 'page', keys: 'Ctrl+Alt+n' },
  next: { group: 'list', keys: 'j|ArrowDown' },
  previous: { group: 'list', keys: 'k|ArrowUp' },
  extendDown: { group: 'list', keys: 'J|Shift+ArrowDown' },
  extendUp: { group: 'list', keys: 'K|Shift+ArrowUp' },
  first: { group: 'list', keys: 'Home' },
  last: { group: 'list', keys: 'End' },
  pageDown: { group: 'list', keys: 'PageDown' },
  pageUp: { group: 'list', keys: 'PageUp' },
  select: { group: 'list', keys: 'x' },
  selectAll: { group: 'list', keys: 'Ctrl+a' },
  open: { group: 'list', keys: 'Enter' },
  peek: { group: 'list', keys: 'Space' },
  showNew: { group: 'list', keys: '.' },
  previousTab: { group: 'page', keys: '[' },
  nextTab: { group: 'page', keys: ']' },
  assess: { group: 'triage', keys: 'a' },
  assessFirst: { group: 'triage', keys: '1' },
  assessSecond: { group: 'triage', keys: '2' },
  assessThird: { group: 'triage', keys: '3' },
  assessFourth: { group: 'triage', keys: '4' },
  assessFifth: { group: 'triage', keys: '5' },
  assessSixth: { group: 'triage', keys: '6' },
  assessSeventh: { group: 'triage', keys: '7' },
  assessEighth: { group: 'triage', keys: '8' },
  assessNinth: { group: 'triage', keys: '9' },
  take: { group: 'triage', keys: 's' },
  assign: { group: 'triage', keys: 'S' },
  promote: { group: 'triage', keys: 'p' },
  demote: { group: 'triage', keys: 'd' },
  label: { group: 'triage', keys: 'l' },
  comment: { group: 'triage', keys: 'c' },
  fileIntoCase: { group: 'triage', keys: 'm' },
  runAction: { group: 'triage', keys: 'r' },
  advance: { group: 'triage', keys: 'n' },
  lookUp: { group: 'triage', keys: 'i' },
  undo: { group: 'triage', keys: 'u' },
  moveItemUp: { group: 'case', keys: 'Alt+ArrowUp' },
  moveItemDown: { group: 'case', keys: 'Alt+ArrowDown' },
} as const satisfies Record<string, KeyBinding>;

export type CommandId = keyof typeof KEY_MAP;

export const COMMAND_IDS = Object.keys(KEY_MAP) as CommandId[];

export const COMMAND_GROUPS = ['go', 'page', 'list', 'triage', 'case'] as const satisfies readonly CommandGroup[];

/** The changes of a person: other keys by command, an empty string for none. */
export interface KeyPreferences {
  /** False: single keys without Ctrl or Alt do nothing (WCAG 2.1.4); arrows, Enter and Escape stay. */
  readonly singleKeys: boolean;
  readonly changed: Readonly<Partial<Record<CommandId, string>>>;
}

/** Returns the keys of a command, each a sequence, after the preferences. */
export function keysOf(id: CommandId, { singleKeys, changed }: KeyPreferences): string[] {
  const keys = (changed[id] ?? KEY_MAP[id].keys).split('|').filter((key) => key !== '');
  return singleKeys ? keys : keys.filter((key) => !isSingleCharacter(key));
}

function isSingleCharacter(sequence: string): boolean {
  return [...(sequence.split(' ')[0] ?? '')].length === 1;
}
