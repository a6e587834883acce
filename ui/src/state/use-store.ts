import { useSyncExternalStore } from 'react';
import type { Store } from './store.ts';

/** Returns the present value of a store, and draws the component again when it changes. */
export function useStore<Value>({ read, subscribe }: Pick<Store<Value>, 'read' | 'subscribe'>): Value {
  return useSyncExternalStore(subscribe, read);
}
