import { useSyncExternalStore } from 'react';

type Overlay = 'palette' | 'keys' | undefined;

let open: Overlay;
const listeners = new Set<() => void>();

/** Opens one of the overlays of the shell, or closes it. */
export function showOverlay(overlay: Overlay): void {
  open = overlay;
  for (const listener of listeners) listener();
}

export function openPalette(): void {
  showOverlay('palette');
}

export function useOverlay(): Overlay {
  return useSyncExternalStore(subscribe, () => open);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
