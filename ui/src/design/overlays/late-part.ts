import { useEffect, useSyncExternalStore } from 'react';
import { whenQuiet } from '../../api/quiet.ts';

/** A part of the interface that is loaded after the page that uses it is drawn. */
export class LatePart<Part> {
  readonly #load: () => Promise<Part>;
  readonly #listeners = new Set<() => void>();
  #loading: Promise<void> | undefined;
  #part: Part | undefined;

  constructor(load: () => Promise<Part>) {
    this.#load = load;
  }

  /** Returns undefined until the part is loaded. */
  readonly read = (): Part | undefined => this.#part;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads the part, once; after a failure the next call tries again. */
  readonly load = (): void => {
    this.#loading ??= this.#load().then(
      (part) => {
        this.#part = part;
        for (const listener of this.#listeners) listener();
      },
      () => {
        this.#loading = undefined;
      },
    );
  };

  /** Loads the part once the page has shown what it asked for. */
  readonly loadWhenIdle = (): void => {
    if (this.#loading === undefined) void whenQuiet().then(this.load);
  };
}

/** Returns a part, or undefined until it is loaded; it is loaded at once where `isWanted`. */
export function useLatePart<Part>(part: LatePart<Part>, isWanted = false): Part | undefined {
  useEffect(() => (isWanted ? part.load() : part.loadWhenIdle()), [part, isWanted]);
  return useSyncExternalStore(part.subscribe, part.read);
}
