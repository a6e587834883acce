import { useSyncExternalStore } from 'react';

/** The width at which the styles of pages change, too. */
const QUERY = '(max-width: 640px)';

/** Returns whether the window is as narrow as that of a phone, or of a page at 400 %. */
export function useSmallScreen(): boolean {
  return useSyncExternalStore(subscribe, isSmall);
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(QUERY);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

function isSmall(): boolean {
  return matchMedia(QUERY).matches;
}
