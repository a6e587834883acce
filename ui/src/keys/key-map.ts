/** The heading of a command in the list of keys. */
export type CommandGroup = 'go' | 'page' | 'list' | 'triage' | 'case';

export interface KeyBinding {
  readonly group: CommandGroup;
  /**
   * Keys that a person may change or switch off; an empty string where there are none at first. Absent:
   * the fixed ones are all. Keys are named as `KeyboardEvent.key` gives them, so that they follow the
   * layout of the keyboard. A space separates the keys of a sequence, `Ctrl+` stands for Ctrl or Command.
   */
  readonly keys?: string;
  /** Keys that lists, fields and dialogs have everywhere. A person cannot change them. */
  readonly fixed?: string;
  /**
   * `everywhere`: works in fields and dialogs, too, unless its key is a character. `element`: works only
   * where the element at hand has the focus, which listens itself. Default: outside of fields and dialogs.
   */
  readonly scope?: 'everywhere' | 'element';
}

/**
 * The one key map: every command of every page, with its key if it has one. The page at hand decides
 * which commands it offers (`useCommands`); the palette, the list of keys, menus and tooltips read from
 * here.
 */
export const KEY_MAP = {
  goHome: { group: 'go', keys: 'g h' },
  goAlerts: { group: 'go', keys: 'g a' },
  goCases: { group: 'go', keys: 'g c' },
  goFiles: { group: 'go', keys: 'g f' },
  goLookUp: { group: 'go', keys: 'g e' },
  goViews: { group: 'go', keys: 'g v' },
  goAnalytics: { group: 'go', keys: 'g n' },
  goActions: { group: 'go', keys: '' },
  goTemplates: { group: 'go', keys: '' },
  goOverviews: { group: 'go', keys: '' },
  goDossiers: { group: 'go', keys: '' },
  goAdministration: { group: 'go', keys: '' },
  goApiReference: { group: 'go', keys: '' },
  goSettings: { group: 'go', keys: 'g s' },
  palette: { group: 'page', keys: 'Ctrl+k', scope: 'everywhere' },
  keyHelp: { group: 'page', keys: '?' },
  query: { group: 'page', keys: '/' },
  explain: { group: 'page', fixed: 'Alt+Enter', scope: 'element' },
  submit: { group: 'page', fixed: 'Ctrl+Enter', scope: 'element' },
  close: { group: 'page', keys: '', fixed: 'Escape' },
  create: { group: 'page', keys: 'Ctrl+Alt+n' },
  previousTab: { group: 'page', keys: '[' },
  nextTab: { group: 'page', keys: ']' },
  signOut: { group: 'page', keys: '' },
  next: { group: 'list', keys: 'j', fixed: 'ArrowDown' },
  previous: { group: 'list', keys: 'k', fixed: 'ArrowUp' },
  extendDown: { group: 'list', keys: 'J', fixed: 'Shift+ArrowDown' },
  extendUp: { group: 'list', keys: 'K', fixed: 'Shift+ArrowUp' },
  first: { group: 'list', keys: '', fixed: 'Home' },
  last: { group: 'list', keys: '', fixed: 'End' },
  pageDown: { group: 'list', keys: '', fixed: 'PageDown' },
  pageUp: { group: 'list', keys: '', fixed: 'PageUp' },
  select: { group: 'list', keys: 'x' },
  selectAll: { group: 'list', keys: 'Ctrl+a' },
  open: { group: 'list', keys: '', fixed: 'Enter' },
  peek: { group: 'list', keys: 'Space' },
  showNew: { group: 'list', keys: '.' },
  columns: { group: 'list', keys: '' },
  exportCsv: { group: 'list', keys: '' },
  exportNdjson: { group: 'list', keys: '' },
  saveView: { group: 'list', keys: '' },
  changeLayout: { group: 'list', keys: '' },
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
  start: { group: 'triage', keys: '' },
  pause: { group: 'triage', keys: '' },
  resume: { group: 'triage', keys: '' },
  release: { group: 'triage', keys: '' },
  reopen: { group: 'triage', keys: '' },
  voteBenign: { group: 'triage', keys: '' },
  voteObscure: { group: 'triage', keys: '' },
  voteMalicious: { group: 'triage', keys: '' },
  copyLink: { group: 'triage', keys: '' },
  undo: { group: 'triage', keys: 'u' },
  moveItemUp: { group: 'case', fixed: 'Alt+ArrowUp', scope: 'element' },
  moveItemDown: { group: 'case', fixed: 'Alt+ArrowDown', scope: 'element' },
  moveItemOut: { group: 'case', fixed: 'Alt+ArrowLeft', scope: 'element' },
  moveItemIn: { group: 'case', fixed: 'Alt+ArrowRight', scope: 'element' },
} as const satisfies Record<string, KeyBinding>;

export type CommandId = keyof typeof KEY_MAP;

export const COMMAND_IDS = Object.keys(KEY_MAP) as CommandId[];

export const COMMAND_GROUPS = ['go', 'page', 'list', 'triage', 'case'] as const satisfies readonly CommandGroup[];

/** The changes of a person: other keys by command, an empty string for none. */
export interface KeyPreferences {
  /** False: characters without Ctrl or Alt do nothing (WCAG 2.1.4); fixed keys stay. */
  readonly singleKeys: boolean;
  readonly changed: Readonly<Partial<Record<CommandId, string>>>;
}

/** The keys of a person who changed none. */
export const DEFAULT_KEYS: KeyPreferences = { singleKeys: true, changed: {} };

/** Returns the entry of a command in the key map. */
export function bindingOf(id: CommandId): KeyBinding {
  return KEY_MAP[id];
}

/** Returns the keys of a command after the preferences, the changeable ones first. */
export function keysOf(id: CommandId, { singleKeys, changed }: KeyPreferences): string[] {
  const { keys, fixed } = bindingOf(id);
  const own = keys === undefined ? undefined : (changed[id] ?? keys);
  const isUsed = own !== undefined && own !== '' && (singleKeys || !beginsWithCharacter(own));
  return [...new Set([...(isUsed ? [own] : []), ...(fixed === undefined ? [] : [fixed])])];
}

/** Returns whether the first key of a sequence is a character without Ctrl and Alt. */
export function beginsWithCharacter(sequence: string): boolean {
  return [...(sequence.split(' ')[0] ?? '')].length === 1;
}

/**
 * Returns which of the commands each sequence of keys runs. Fixed keys come first, then those that a
 * person chose: a command of a later version does not take its usual key away from another one.
 */
export function commandsByKeys(ids: Iterable<CommandId>, preferences: KeyPreferences): Map<string, CommandId> {
  const offers = [...ids].flatMap((id) =>
    keysOf(id, preferences).map((keys) => ({ keys, id, rank: rankOf(id, keys, preferences) })),
  );
  const found = new Map<string, CommandId>();
  for (const { keys, id } of offers.toSorted((left, right) => left.rank - right.rank)) {
    if (!found.has(keys)) found.set(keys, id);
  }
  return found;
}

function rankOf(id: CommandId, keys: string, { changed }: KeyPreferences): number {
  if (keys === bindingOf(id).fixed) return 0;
  return changed[id] === undefined ? 2 : 1;
}

/** Returns the command with these keys, or with keys that begin or continue them; undefined: free. */
export function commandInTheWay(sequence: string, of: CommandId, preferences: KeyPreferences): CommandId | undefined {
  // Keys that are switched off for now come back.
  const all = { ...preferences, singleKeys: true };
  const overlaps = (taken: string) =>
    taken === sequence || taken.startsWith(`${sequence} `) || sequence.startsWith(`${taken} `);
  return COMMAND_IDS.find((id) => id !== of && keysOf(id, all).some(overlaps));
}
