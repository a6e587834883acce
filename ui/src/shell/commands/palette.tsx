import { LatePart, useLatePart } from '../../design/late/late-part.ts';
import { Dialog } from '../../design/overlays/dialog.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { showOverlay, useOverlay } from './palette-state.ts';

// The list knows saved objects of features; no page waits for it.
const paletteList = new LatePart(async () => (await import('./palette-list.tsx')).PaletteList);

/** Every command and page, by name. */
export function Palette() {
  const { t } = useTranslation();
  const isOpen = useOverlay() === 'palette';
  const PaletteList = useLatePart(paletteList, isOpen);
  return (
    <Dialog
      open={isOpen && PaletteList !== undefined}
      onClose={() => showOverlay(undefined)}
      title={t('shell.palette.title')}
    >
      {isOpen && PaletteList !== undefined ? <PaletteList /> : null}
    </Dialog>
  );
}
