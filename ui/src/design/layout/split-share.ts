import { keep, readKept } from '../../json/browser-storage.ts';

const MIN_SHARE = 0.1;
const MAX_SHARE = 0.9;
const STEP = 0.02;

/** Keeps a share between the least and the greatest that leave both panes usable. */
export function clampShare(share: number): number {
  return Number.isFinite(share) ? Math.min(MAX_SHARE, Math.max(MIN_SHARE, share)) : 0.5;
}

/** Returns the share after a key of a handle, or undefined for a key that means nothing there. */
export function keyedShare(key: string, share: number, direction: 'row' | 'column'): number | undefined {
  const [less, more] = direction === 'row' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  if (key === less) return clampShare(share - STEP);
  if (key === more) return clampShare(share + STEP);
  if (key === 'Home') return MIN_SHARE;
  if (key === 'End') return MAX_SHARE;
  return undefined;
}

const keyOf = (name: string) => `triad.split.${name}`;

/** Returns the remembered share of a pair of panes, if it is usable. */
export function readShare(name: string): number | undefined {
  const share = readKept(keyOf(name));
  return typeof share === 'number' ? clampShare(share) : undefined;
}

export function writeShare(name: string, share: number): void {
  keep(keyOf(name), Number(share.toFixed(4)));
}
