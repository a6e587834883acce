import { useSyncExternalStore } from 'react';

/**
 * Returns a string that changes with the theme: a canvas has to be drawn again with other colours
 * then.
 */
export function useThemeName(): string {
  return useSyncExternalStore(subscribe, themeName);
}

const media = ['(prefers-color-scheme: light)', '(forced-colors: active)'];

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const queries = media.map((query) => window.matchMedia(query));
  for (const query of queries) query.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    for (const query of queries) query.removeEventListener('change', listener);
  };
}

function themeName(): string {
  const matches = media.map((query) => window.matchMedia(query).matches);
  return `${document.documentElement.dataset.theme ?? ''} ${matches.join(' ')}`;
}

const LINES_AND_WORDS = /^(?:text-\d|line|edge)$/;

/** Returns the colour of a token as the page has it now; lines and words follow forced colours. */
export function colourOf(token: string): string {
  if (LINES_AND_WORDS.test(token) && window.matchMedia('(forced-colors: active)').matches) return 'CanvasText';
  return getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim() || 'currentColor';
}
