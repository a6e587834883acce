import { lastUndo } from '../../../shell/last-undo.ts';
import { Store } from '../../../state/store.ts';
import type { UndoEntry } from './changes/reversals.ts';

/** Time in ms during which the last change can be taken back. */
export const UNDO_MS = 10_000;

/** The last change of this window, while it can be taken back. */
export interface Undoable {
  /** Sentence that names the change. */
  readonly title: string;
  readonly entries: readonly UndoEntry[];
}

/** Holds the last change for 10 s; a later one replaces it. */
export class UndoSlot extends Store<Undoable | undefined> {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super(undefined);
  }

  /** Offers to take a change back, from now for 10 s. Nothing to take back: the slot is empty then. */
  offer(undoable: Undoable): void {
    clearTimeout(this.#timer);
    this.set(undoable.entries.length === 0 ? undefined : undoable);
    if (this.read() !== undefined) this.#timer = setTimeout(() => this.set(undefined), UNDO_MS);
  }

  /** Returns the change to take back and empties the slot, so that it is taken back once. */
  take(): Undoable | undefined {
    const undoable = this.read();
    clearTimeout(this.#timer);
    this.set(undefined);
    return undoable;
  }
}

export const undoSlot = new UndoSlot();
undoSlot.subscribe(() => {
  if (undoSlot.read() === undefined) lastUndo.set(undefined);
});
