import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { Store } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';
import {
  beginsWithCharacter,
  bindingOf,
  type CommandId,
  commandsByKeys,
  type KeyPreferences,
  keysOf,
} from './key-map.ts';
import { KeySequence } from './key-sequence.ts';

/** A command that the page at hand offers. */
export interface Command {
  readonly id: CommandId;
  /** Its name on this page, for the palette: `New case`. Default: the name of the key map. */
  readonly name?: string | undefined;
  readonly run: () => void;
  /** False: listed, but not available now. Default true. */
  readonly isEnabled?: boolean;
}

/** An entry of the palette without a command: a page inside of a page, or a saved object. */
export interface PaletteEntry {
  readonly id: string;
  readonly name: string;
  /** The page or kind of object that it leads to or belongs to, in words. */
  readonly hint: string;
  readonly run: () => void;
}

interface Offer {
  readonly commands: readonly Command[];
  readonly entries: readonly PaletteEntry[];
}

/** The commands of the mounted components; the one that mounted last comes first. */
class Offers extends Store<readonly { current: Offer }[]> {
  add(offer: { current: Offer }): () => void {
    this.set([offer, ...this.read()]);
    return () => this.set(this.read().filter((one) => one !== offer));
  }

  /** Returns the innermost command of each id. */
  commands(): Map<CommandId, Command> {
    const found = new Map<CommandId, Command>();
    for (const { current } of this.read()) {
      for (const command of current.commands) if (!found.has(command.id)) found.set(command.id, command);
    }
    return found;
  }

  entries(): PaletteEntry[] {
    return this.read().flatMap(({ current }) => current.entries);
  }
}

const CommandContext = createContext<{ readonly offers: Offers; readonly preferences: KeyPreferences } | undefined>(
  undefined,
);

const FIELDS = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]';
const OVERLAYS = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
const PRESSABLE = 'button, a[href], summary, [role=button], [role=tab], [role=checkbox], [role=switch], [role=option]';

/** Listens to the keyboard and runs the commands of the mounted components. Mounted once. */
export function CommandProvider({ preferences, children }: { preferences: KeyPreferences; children: ReactNode }) {
  const offers = useMemo(() => new Offers([]), []);
  const context = useMemo(() => ({ offers, preferences }), [offers, preferences]);
  useEffect(() => {
    const sequence = new KeySequence();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const focused = elementOf(event);
      if (event.key === 'Escape' && focused !== undefined && isFieldOfPage(focused)) {
        focused.blur();
        event.preventDefault();
        return;
      }
      const commands = offers.commands();
      const byKeys = commandsByKeys(commands.keys(), preferences);
      const allowed = [...byKeys].flatMap(([keys, id]) => (isAllowedAt(focused, keys, id) ? [keys] : []));
      const result = sequence.press(event, allowed, event.timeStamp);
      if (result === undefined) return;
      const id = result === 'pending' ? undefined : byKeys.get(result.sequence);
      const command = id === undefined ? undefined : commands.get(id);
      if (command?.isEnabled === false) return;
      event.preventDefault();
      command?.run();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [offers, preferences]);
  return <CommandContext value={context}>{children}</CommandContext>;
}

/** Returns the element that has the keys: inside of a shadow root, as the query editor, the real one. */
function elementOf(event: KeyboardEvent): HTMLElement | undefined {
  const [target] = event.composedPath();
  return target instanceof HTMLElement ? target : undefined;
}

/** Escape leaves a field, as it leaves the query; pressed again, it closes what is around it. */
function isFieldOfPage(element: HTMLElement): boolean {
  return element.closest(FIELDS) !== null && element.closest(OVERLAYS) === null;
}

/** Decides whether the focused element leaves these keys to a command. */
function isAllowedAt(focused: HTMLElement | undefined, keys: string, id: CommandId): boolean {
  const { scope } = bindingOf(id);
  if (scope === 'element') return false;
  if (focused === undefined || (scope === 'everywhere' && !beginsWithCharacter(keys))) return true;
  if (focused.closest(OVERLAYS) !== null || focused.closest(FIELDS) !== null) return false;
  const presses = keys === 'Enter' || keys === 'Space';
  return !(presses && focused.closest(PRESSABLE) !== null);
}

function useCommandContext() {
  const context = useContext(CommandContext);
  if (context === undefined) throw new Error('CommandProvider is missing.');
  return context;
}

const NO_ENTRIES: readonly PaletteEntry[] = [];

/** Offers commands while the component is mounted. Inner components override outer ones. */
export function useCommands(commands: readonly Command[], entries: readonly PaletteEntry[] = NO_ENTRIES): void {
  const { offers } = useCommandContext();
  const offer = useRef<Offer>({ commands, entries });
  useEffect(() => {
    offer.current = { commands, entries };
  });
  useEffect(() => offers.add(offer), [offers]);
}

/** Returns what the page at hand offers, for the palette and the list of keys. */
export function useOfferedCommands(): Offer {
  const { offers } = useCommandContext();
  useStore(offers);
  return { commands: [...offers.commands().values()], entries: offers.entries() };
}

/** Returns what tells the keys of a command, after the preferences. */
export function useKeysOf(): (id: CommandId) => string[] {
  const { preferences } = useCommandContext();
  return (id) => keysOf(id, preferences);
}

/** Returns the first keys of a command, after the preferences; undefined without any. */
export function useKeys(id: CommandId): string | undefined {
  return useKeysOf()(id)[0];
}
