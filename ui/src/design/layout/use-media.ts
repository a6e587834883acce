import { useCallback, useSyncExternalStore } from 'react';

/** Each list follows its query by itself; another one for each question would be parsed again. */
const lists = new Map<string, MediaQueryList>();

/** Returns whether the window matches a media query, such as `(max-width: 960px)`. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = listOf(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => listOf(query).matches);
}

function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? matchMedia(query);
  lists.set(query, list);
  return list;
}
