import { type KeyboardEvent, useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { Kbd } from '../../design/controls/kbd.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import {
  COMMAND_GROUPS,
  COMMAND_IDS,
  type CommandId,
  KEY_MAP,
  type KeyPreferences,
  keysOf,
} from '../../keys/key-map.ts';
import { nameOf } from '../../keys/key-sequence.ts';
import styles from './settings.module.css';

interface Props {
  readonly keys: KeyPreferences;
  readonly onChange: (keys: KeyPreferences) => void;
}

const MODIFIERS: ReadonlySet<string> = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph']);

/** Lists every command with its keys; a press on one waits for the new key. */
export function KeyEditor({ keys, onChange }: Props) {
  const { t } = useTranslation();
  const [waiting, setWaiting] = useState<CommandId | undefined>(undefined);
  const change = (id: CommandId, key: string | undefined) => {
    const { [id]: _former, ...changed } = keys.changed;
    onChange({ ...keys, changed: key === undefined ? changed : { ...changed, [id]: key } });
    setWaiting(undefined);
  };
  const onKeyDown = (id: CommandId, event: KeyboardEvent) => {
    if (waiting !== id || MODIFIERS.has(event.key) || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') setWaiting(undefined);
    else change(id, event.key === 'Delete' || event.key === 'Backspace' ? '' : nameOf(event));
  };
  return (
    <>
      {COMMAND_GROUPS.map((group) => (
        <table key={group} className={styles.keys}>
          <caption>{t(`keys.groups.${group}`)}</caption>
          <tbody>
            {COMMAND_IDS.filter((id) => KEY_MAP[id].group === group).map((id) => {
              const name = t(`keys.commands.${id}`);
              const current = keysOf(id, keys).join('  ');
              return (
                <tr key={id}>
                  <th scope="row">{name}</th>
                  <td>{current === '' ? t('shell.keys.none') : <Kbd keys={current} />}</td>
                  <td>
                    <Button
                      kind="quiet"
                      aria-label={t('settings.preferences.changeKeyOf', { name })}
                      onClick={() => setWaiting(id)}
                      onBlur={() => setWaiting(undefined)}
                      onKeyDown={(event) => onKeyDown(id, event)}
                    >
                      {waiting === id ? t('settings.preferences.pressKey') : t('settings.preferences.changeKey')}
                    </Button>
                    {keys.changed[id] === undefined ? null : (
                      <Button
                        kind="quiet"
                        aria-label={t('settings.preferences.resetKeyOf', { name })}
                        onClick={() => change(id, undefined)}
                      >
                        {t('settings.preferences.resetKey')}
                      </Button>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      ))}
    </>
  );
}
