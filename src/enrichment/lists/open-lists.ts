import { rmSync } from 'node:fs';
import type { Log } from '../../http/request-log.ts';
import { CompiledList, type FoundEntry } from './compiled/compiled-list.ts';
import type { SelectorKeys } from './compiled/selector-keys.ts';
import type { ConfiguredList } from './configured-lists.ts';
import { compiledPath, readState, signatureOf, type UpdateState } from './updating/list-folder.ts';

/** A list as this process has it open. */
export interface OpenList {
  readonly list: ConfiguredList;
  readonly compiled: CompiledList | undefined;
  readonly state: UpdateState;
  /** Time at which the list was last known to be up to date, in milliseconds since 1970. */
  readonly freshAt: number | undefined;
  /** It was not updated for longer than `expires`. */
  readonly isExpired: boolean;
}

interface Slot {
  /** State of the file that is open, or could not be opened. */
  signature: string | undefined;
  compiled: CompiledList | undefined;
  state: UpdateState;
}

/** Errors of SQLite for a damaged file. */
const DAMAGED: readonly unknown[] = [11, 26];

/** Keeps the compiled lists of this process open, and opens those that another process replaced. */
export class OpenLists {
  readonly lists: readonly ConfiguredList[];
  readonly #slots = new Map<ConfiguredList, Slot>();
  readonly #log: Pick<Log, 'warn'>;

  constructor(lists: readonly ConfiguredList[], log: Pick<Log, 'warn'>) {
    this.lists = lists;
    this.#log = log;
  }

  /** Returns a list as it is open; the first call opens it. */
  of(list: ConfiguredList): OpenList {
    const { compiled, state } = this.#slots.get(list) ?? this.#refresh(list);
    const isChecked = compiled !== undefined && state.file === compiled.summary.id;
    const freshAt =
      compiled && Math.max(Date.parse(compiled.summary.compiledAt), isChecked ? (state.checkedAt ?? 0) : 0);
    const isExpired = freshAt !== undefined && list.expires !== undefined && Date.now() - freshAt > list.expires;
    return { list, compiled, state, freshAt, isExpired };
  }

  /** Opens a list again if its file was replaced, and reads its state. */
  refresh(list: ConfiguredList): OpenList {
    this.#refresh(list);
    return this.of(list);
  }

  /** Returns the entries of a list that match; none if it is damaged, missing or expired. */
  find(list: ConfiguredList, keys: SelectorKeys): readonly FoundEntry[] {
    const { compiled, isExpired } = this.of(list);
    if (compiled === undefined || isExpired) return [];
    try {
      return compiled.find(keys);
    } catch (error) {
      if (!(error instanceof Error && 'errcode' in error && DAMAGED.includes(error.errcode))) throw error;
      this.#discard(list, error);
      return [];
    }
  }

  close(): void {
    for (const { compiled } of this.#slots.values()) compiled?.close();
    this.#slots.clear();
  }

  #refresh(list: ConfiguredList): Slot {
    const slot = this.#slots.get(list) ?? { signature: undefined, compiled: undefined, state: { failures: 0 } };
    this.#slots.set(list, slot);
    const path = compiledPath(list.folder);
    const signature = signatureOf(path);
    slot.state = readState(list.folder);
    if (signature === slot.signature) return slot;
    slot.signature = signature;
    const before = slot.compiled;
    slot.compiled = undefined;
    before?.close();
    try {
      slot.compiled = CompiledList.open(path);
    } catch (error) {
      this.#discard(list, error);
    }
    return slot;
  }

  /** Removes a damaged file, so that the next update reads the whole list. */
  #discard(list: ConfiguredList, err: unknown): void {
    const { name } = list.settings;
    const slot = this.#slots.get(list);
    this.#log.warn(
      { err, list: name },
      `the compiled list ${name} is damaged: it is removed, until the list is compiled again`,
    );
    slot?.compiled?.close();
    if (slot !== undefined) slot.compiled = undefined;
    // Another process may have replaced it meanwhile.
    const path = compiledPath(list.folder);
    if (signatureOf(path) === slot?.signature) rmSync(path, { force: true });
  }
}
