import { Store } from '../state/store.ts';

/**
 * Takes the last change of this window back; undefined once it cannot be any more. The frame offers it
 * on each page, as the notice of the change is seen on each.
 */
export const lastUndo = new Store<(() => void) | undefined>(undefined);
