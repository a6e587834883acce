import { Store } from '../../state/store.ts';
import { useStore } from '../../state/use-store.ts';

type Overlay = 'palette' | 'keys' | undefined;

const shown = new Store<Overlay>(undefined);

/** Opens one of the overlays of the shell, or closes it. */
export function showOverlay(overlay: Overlay): void {
  shown.set(overlay);
}

export function openPalette(): void {
  showOverlay('palette');
}

export function useOverlay(): Overlay {
  return useStore(shown);
}
