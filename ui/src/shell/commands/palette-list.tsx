import { type KeyboardEvent, useId, useState } from 'react';
import { Kbd } from '../../design/controls/kbd.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './overlays.module.css';
import { paletteMatches } from './palette-matches.ts';
import { showOverlay } from './palette-state.ts';
import { type PaletteRow, usePaletteRows } from './use-palette-rows.ts';

/** Rows that are drawn: a person reads no more of them, and views may be many. */
const MAX_SHOWN = 100;

/** Draws the field of the palette, and what matches the words in it. */
export function PaletteList() {
  const { t } = useTranslation();
  const rows = usePaletteRows();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const listId = useId();
  const matches = paletteMatches(rows, typed);
  const shown = matches.slice(0, MAX_SHOWN);
  const current = Math.min(active, shown.length - 1);

  const run = (row: PaletteRow | undefined) => {
    if (row === undefined) return;
    showOverlay(undefined);
    // After the focus has returned to the page, where the command expects it.
    setTimeout(row.run);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((current + step + shown.length) % Math.max(1, shown.length));
    else if (event.key === 'Enter') run(shown[current]);
    else return;
    event.preventDefault();
  };

  return (
    <div className={styles.palette}>
      <input
        className={styles.paletteInput}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={shown.length === 0 ? undefined : `${listId}-${current}`}
        aria-label={t('shell.palette.placeholder')}
        placeholder={t('shell.palette.placeholder')}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={listId} aria-label={t('shell.palette.title')} className={styles.paletteList}>
        {shown.map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the focus and the keys.
          <div
            key={row.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            className={styles.paletteRow}
            ref={index === current ? scrollIntoView : undefined}
            onClick={() => run(row)}
          >
            <span>{row.name}</span>
            <span className={styles.hint}>{row.hint}</span>
            {row.keys === undefined ? null : <Kbd keys={row.keys} />}
          </div>
        ))}
      </div>
      <p role="status" className={styles.paletteNote}>
        {noteOf(matches.length, shown.length, t)}
      </p>
    </div>
  );
}

function noteOf(found: number, shown: number, t: ReturnType<typeof useTranslation>['t']): string {
  if (found === 0) return t('shell.palette.empty');
  return found > shown ? t('design.moreOptions', { count: found - shown }) : '';
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
