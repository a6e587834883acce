import { useSyncExternalStore } from 'react';

const FALLBACK = 28;
/** A second line of words in a row. */
const LINE = 18;

/**
 * Returns the height of a row in pixels, and follows the density that the reader chooses. A row of two
 * lines takes one line of words more than `--row-height`: at least 46 px, enough for a thumb.
 */
export function useRowHeight(lines: 1 | 2 = 1): number {
  return useSyncExternalStore(subscribe, rowHeight) + (lines - 1) * LINE;
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-density'] });
  return () => observer.disconnect();
}

function rowHeight(): number {
  const text = getComputedStyle(document.documentElement).getPropertyValue('--row-height');
  return Number.parseFloat(text) || FALLBACK;
}
