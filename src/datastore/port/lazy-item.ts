import type { SearchItem } from './search.ts';

/**
 * An item that reads its document when it is first asked for it: who kept what was made of a version
 * need not ask.
 */
export function lazyItem<T>(known: Omit<SearchItem<T>, 'document'>, read: () => T): SearchItem<T> {
  let document: T | undefined;
  return {
    ...known,
    get document() {
      document ??= read();
      return document;
    },
  };
}
