import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { type CommandId, KEY_MAP, type KeyPreferences, keysOf } from './key-map.ts';
import { KeySequence } from './key-sequence.ts';

/** A command that the page at hand offers. */
export interface Command {
  readonly id: CommandId;
  readonly run: () => void;
  /** False: listed, but not available now. Default true. */
  readonly isEnabled?: boolean;
}

/** A command of the palette without a key of its own, for example a view or a page. */
export interface PaletteEntry {
  readonly id: string;
  readonly name: string;
  /** The page or object that it leads to, in words. */
  readonly hint?: string;
  readonly run: () => void;
}

interface Offer {
  readonly commands: readonly Command[];
  readonly entries: readonly PaletteEntry[];
}

/** The commands of the mounted components; the one that mounted last comes first. */
class Offers {
  #offers: readonly { current: Offer }[] = [];
  #listeners = new Set<() => void>();

  add(offer: { current: Offer }): () => void {
    this.#offers = [offer, ...this.#offers];
    this.#notify();
    return () => {
      this.#offers = this.#offers.filter((one) => one !== offer);
      this.#notify();
    };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  snapshot = (): readonly { current: Offer }[] => this.#offers;

  /** Returns the innermost command of each id. */
  commands(): Map<CommandId, Command> {
    const found = new Map<CommandId, Command>();
    for (const { current } of this.#offers) {
      for (const command of current.commands) if (!found.has(command.id)) found.set(command.id, command);
    }
    return found;
  }

  entries(): PaletteEntry[] {
    return this.#offers.flatMap(({ current }) => current.entries);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
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
  const offers = useMemo(() => new Offers(), []);
  const context = useMemo(() => ({ offers, preferences }), [offers, preferences]);
  useEffect(() => {
    const sequence = new KeySequence();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const commands = offers.commands();
      const byKeys = new Map<string, Command>();
      for (const command of commands.values()) {
        for (const keys of keysOf(command.id, preferences)) byKeys.set(keys, command);
      }
      const allowed = [...byKeys.keys()].filter((keys) => isAllowedAt(event, keys));
      const result = sequence.press(event, allowed, event.timeStamp);
      if (result === undefined) return;
      const command = result === 'pending' ? undefined : byKeys.get(result.sequence);
      if (command?.isEnabled === false) return;
      event.preventDefault();
      command?.run();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [offers, preferences]);
  return <CommandContext value={context}>{children}</CommandContext>;
}

/** Decides whether the focused element leaves these keys to commands. */
function isAllowedAt(event: KeyboardEvent, keys: string): boolean {
  // The real target inside a shadow root: the query editor lives in one.
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return true;
  const isPalette = keys === KEY_MAP.palette.keys;
  if (target.closest(OVERLAYS) !== null) return isPalette;
  if (target.closest(FIELDS) !== null) return isPalette;
  const presses = keys === 'Enter' || keys === 'Space';
  return !(presses && target.closest(PRESSABLE) !== null);
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
export function useOfferedCommands(): {
  readonly commands: readonly Command[];
  readonly entries: readonly PaletteEntry[];
} {
  const { offers } = useCommandContext();
  useSyncExternalStore(offers.subscribe, offers.snapshot);
  return { commands: [...offers.commands().values()], entries: offers.entries() };
}

/** Returns the first keys of a command, after the preferences; undefined without any. */
export function useKeys(id: CommandId): string | undefined {
  return keysOf(id, useCommandContext().preferences)[0];
}
