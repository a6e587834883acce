import { useEffect } from 'react';
import { Store } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';

/** Other people at the object that the page shows. */
export interface Presence {
  /** User names of other people who look at it. */
  readonly viewers: readonly string[];
  /** User names of other people who write a comment. */
  readonly typing: readonly string[];
}

const NO_ONE: Presence = { viewers: [], typing: [] };
const present = new Store(NO_ONE);

/** Shows in the title line who else is at the object, until the component that says so is gone. */
export function useShownPresence({ viewers, typing }: Presence): void {
  const key = JSON.stringify({ viewers, typing });
  useEffect(() => {
    present.set(JSON.parse(key) as Presence);
    return () => present.set(NO_ONE);
  }, [key]);
}

export function usePresent(): Presence {
  return useStore(present);
}
