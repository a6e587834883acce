import { useEffect, useSyncExternalStore } from 'react';

/** Other people at the object that the page shows. */
export interface Presence {
  /** User names of other people who look at it. */
  readonly viewers: readonly string[];
  /** User names of other people who write a comment. */
  readonly typing: readonly string[];
}

const NO_ONE: Presence = { viewers: [], typing: [] };
const listeners = new Set<() => void>();
let present = NO_ONE;

function show(next: Presence): void {
  present = next;
  for (const listener of listeners) listener();
}

/** Shows in the title line who else is at the object, until the component that says so is gone. */
export function useShownPresence({ viewers, typing }: Presence): void {
  const key = JSON.stringify({ viewers, typing });
  useEffect(() => {
    show(JSON.parse(key) as Presence);
    return () => show(NO_ONE);
  }, [key]);
}

export function usePresent(): Presence {
  return useSyncExternalStore(subscribe, () => present);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
