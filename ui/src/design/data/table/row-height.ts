import { useSyncExternalStore } from 'react';

const FALLBACK = 28;

/** Returns `--row-height` in pixels, and follows the density that the reader chooses. */
export function useRowHeight(): number {
  return useSyncExternalStore(subscribe, rowHeight);
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
