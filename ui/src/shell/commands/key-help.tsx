import { type RefObject, useRef } from 'react';
import { Kbd } from '../../design/controls/kbd.tsx';
import { Dialog } from '../../design/overlays/dialog.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useOfferedCommands } from '../../keys/commands.tsx';
import { COMMAND_GROUPS, type CommandId, KEY_MAP, keysOf } from '../../keys/key-map.ts';
import { DEFAULT_KEYS, usePreferences } from '../preferences.ts';
import styles from './overlays.module.css';
import { showOverlay, useOverlay } from './palette-state.ts';

/** The keys that work on the page at hand. */
export function KeyHelp() {
  const { t } = useTranslation();
  const isOpen = useOverlay() === 'keys';
  const list = useRef<HTMLDivElement>(null);
  return (
    <Dialog open={isOpen} onClose={() => showOverlay(undefined)} title={t('shell.keys.title')} initialFocus={list}>
      {isOpen ? <KeyList ref={list} /> : null}
    </Dialog>
  );
}

function KeyList({ ref }: { readonly ref: RefObject<HTMLDivElement | null> }) {
  const { t } = useTranslation();
  const { keys = DEFAULT_KEYS } = usePreferences();
  const offered = new Set(useOfferedCommands().commands.map(({ id }) => id));
  return (
    <div ref={ref} tabIndex={-1} className={styles.keyGroups}>
      {COMMAND_GROUPS.map((group) => {
        const ids = (Object.keys(KEY_MAP) as CommandId[]).filter(
          (id) => KEY_MAP[id].group === group && offered.has(id),
        );
        if (ids.length === 0) return null;
        return (
          <section key={group}>
            <h3 className={styles.groupName}>{t(`keys.groups.${group}`)}</h3>
            <dl className={styles.keyList}>
              {ids.map((id) => (
                <div key={id} className={styles.keyRow}>
                  <dt>{t(`keys.commands.${id}`)}</dt>
                  <dd>{keysText(keysOf(id, keys)) ?? t('shell.keys.none')}</dd>
                </div>
              ))}
            </dl>
          </section>
        );
      })}
    </div>
  );
}

function keysText(keys: readonly string[]) {
  if (keys.length === 0) return undefined;
  return keys.map((key) => <Kbd key={key} keys={key} />);
}
