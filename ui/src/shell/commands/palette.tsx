import { type KeyboardEvent, useId, useState } from 'react';
import { Kbd } from '../../design/controls/kbd.tsx';
import { Dialog } from '../../design/overlays/dialog.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useOfferedCommands } from '../../keys/commands.tsx';
import { keysOf } from '../../keys/key-map.ts';
import { DEFAULT_KEYS, usePreferences } from '../preferences.ts';
import styles from './overlays.module.css';
import { paletteMatches } from './palette-matches.ts';
import { showOverlay, useOverlay } from './palette-state.ts';

/** Every command and page, by name. */
export function Palette() {
  const { t } = useTranslation();
  const isOpen = useOverlay() === 'palette';
  return (
    <Dialog open={isOpen} onClose={() => showOverlay(undefined)} title={t('shell.palette.title')}>
      {isOpen ? <PaletteList /> : null}
    </Dialog>
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly hint: string | undefined;
  readonly keys: string | undefined;
  readonly run: () => void;
}

function PaletteList() {
  const { t } = useTranslation();
  const rows = useRows();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const listId = useId();
  const matches = paletteMatches(rows, typed);
  const current = Math.min(active, matches.length - 1);

  const run = (row: Row | undefined) => {
    if (row === undefined) return;
    showOverlay(undefined);
    // After the focus has returned to the page, where the command expects it.
    setTimeout(row.run);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((current + step + matches.length) % Math.max(1, matches.length));
    else if (event.key === 'Enter') run(matches[current]);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <input
        className={styles.paletteInput}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={matches.length === 0 ? undefined : `${listId}-${current}`}
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
        {matches.map((row, index) => (
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
            {row.hint === undefined ? null : <span className={styles.hint}>{row.hint}</span>}
            {row.keys === undefined ? null : <Kbd keys={row.keys} />}
          </div>
        ))}
      </div>
      {matches.length === 0 ? <p role="status">{t('shell.palette.empty')}</p> : null}
    </>
  );
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

function useRows(): Row[] {
  const { t } = useTranslation();
  const { keys = DEFAULT_KEYS } = usePreferences();
  const { commands, entries } = useOfferedCommands();
  return [
    ...commands
      .filter(({ id, isEnabled }) => id !== 'palette' && isEnabled !== false)
      .map(({ id, run }) => ({ id, name: t(`keys.commands.${id}`), hint: undefined, keys: keysOf(id, keys)[0], run })),
    ...entries.map(({ id, name, hint, run }) => ({ id, name, hint, keys: undefined, run })),
  ];
}
