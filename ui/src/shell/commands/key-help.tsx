import { type RefObject, useRef } from 'react';
import { Dialog } from '../../design/overlays/dialog.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useKeysOf, useOfferedCommands } from '../../keys/commands.tsx';
import { bindingOf, COMMAND_GROUPS, COMMAND_IDS } from '../../keys/key-map.ts';
import { ShownKeys } from '../../keys/shown-keys.tsx';
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
  const keysOf = useKeysOf();
  const { commands } = useOfferedCommands();
  const offered = new Map(commands.map((command) => [command.id, command]));
  return (
    <div ref={ref} tabIndex={-1} className={styles.keyGroups}>
      {COMMAND_GROUPS.map((group) => {
        const listed = COMMAND_IDS.flatMap((id) => {
          const [command, keys] = [offered.get(id), keysOf(id)];
          return command === undefined || keys.length === 0 || bindingOf(id).group !== group
            ? []
            : [{ id, keys, name: command.name ?? t(`keys.commands.${id}`) }];
        });
        if (listed.length === 0) return null;
        return (
          <section key={group}>
            <h3 className={styles.groupName}>{t(`keys.groups.${group}`)}</h3>
            <dl className={styles.keyList}>
              {listed.map(({ id, keys, name }) => (
                <div key={id} className={styles.keyRow}>
                  <dt>{name}</dt>
                  <dd>
                    <ShownKeys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        );
      })}
    </div>
  );
}
