import { useEffect } from 'react';
import { whenIdle } from '../../api/idle.ts';
import { Store } from '../../state/store.ts';
import { useStore } from '../../state/use-store.ts';
import { importPart } from './import-part.ts';

export type LateState<Part> =
  | { readonly kind: 'idle' | 'loading' }
  | { readonly kind: 'loaded'; readonly part: Part }
  | { readonly kind: 'failed'; readonly problem: unknown };

interface LatePartOptions {
  /** The part has a place where a failure is said. Default false: `missingParts` has it then. */
  readonly hasPlace?: boolean;
}

/** Parts that were asked for and did not load, and have no place of their own to say so. */
export const missingParts = new Store<readonly Pick<LatePart<unknown>, 'load'>[]>([]);

/** A part of the interface that is loaded after the page that uses it is drawn. */
export class LatePart<Part> {
  readonly state = new Store<LateState<Part>>({ kind: 'idle' });
  readonly subscribe = this.state.subscribe;
  readonly #import: () => Promise<Part>;
  readonly #hasPlace: boolean;
  #loading: Promise<void> | undefined;
  #isWanted = false;

  constructor(load: () => Promise<Part>, { hasPlace = false }: LatePartOptions = {}) {
    this.#import = load;
    this.#hasPlace = hasPlace;
  }

  /** Returns undefined until the part is loaded. */
  readonly read = (): Part | undefined => {
    const state = this.state.read();
    return state.kind === 'loaded' ? state.part : undefined;
  };

  /** Loads the part, once; after a failure the next call tries again. `state` has the failure. */
  readonly load = (): Promise<void> => {
    this.#isWanted = true;
    return this.#loadOnce();
  };

  /** Loads the part once the page has shown what it asked for. A failure is not said before it is wanted. */
  readonly loadWhenIdle = (): void => {
    if (this.state.read().kind === 'idle') void whenIdle().then(() => this.#loadOnce());
  };

  #loadOnce(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    // A component may begin this while it is drawn, when no other one can be told of it.
    await Promise.resolve();
    missingParts.set(missingParts.read().filter((part) => part !== this));
    this.state.set({ kind: 'loading' });
    try {
      this.state.set({ kind: 'loaded', part: await importPart(this.#import) });
    } catch (problem) {
      this.#loading = undefined;
      if (this.#isWanted && !this.#hasPlace) missingParts.set([...missingParts.read(), this]);
      this.state.set({ kind: 'failed', problem });
    }
  }
}

/** Returns a part, or undefined until it is loaded; it is loaded at once where `isWanted`. */
export function useLatePart<Part>(part: LatePart<Part>, isWanted = false): Part | undefined {
  useEffect(() => (isWanted ? void part.load() : part.loadWhenIdle()), [part, isWanted]);
  return useStore(part);
}
