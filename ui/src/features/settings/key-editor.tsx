import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { Kbd } from '../../design/controls/kbd.tsx';
import { VisuallyHidden } from '../../design/controls/visually-hidden.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import {
  bindingOf,
  COMMAND_GROUPS,
  COMMAND_IDS,
  type CommandId,
  commandInTheWay,
  type KeyPreferences,
  keysOf,
} from '../../keys/key-map.ts';
import { recordKey } from '../../keys/key-recorder.ts';
import { SEQUENCE_MS } from '../../keys/key-sequence.ts';
import { ShownKeys } from '../../keys/shown-keys.tsx';
import styles from './settings.module.css';

interface Props {
  readonly keys: KeyPreferences;
  readonly onChange: (keys: KeyPreferences) => void;
}

/** The command that waits for its keys, and those that were pressed so far. */
interface Recording {
  readonly id: CommandId;
  readonly typed: string;
}

/** Keys that were refused, since another command has them. */
interface Refusal {
  readonly id: CommandId;
  readonly keys: string;
  readonly takenBy: CommandId;
}

/** Lists every command with its keys; a press on one waits for the new keys. */
export function KeyEditor({ keys, onChange }: Props) {
  const { t } = useTranslation();
  const [recording, setRecording] = useState<Recording>();
  const [refusal, setRefusal] = useState<Refusal>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const nameOfCommand = (id: CommandId) => t(`keys.commands.${id}`);
  const stop = () => {
    clearTimeout(timer.current);
    setRecording(undefined);
  };
  const change = (id: CommandId, next: string | undefined) => {
    stop();
    const takenBy = next ? commandInTheWay(next, id, keys) : undefined;
    setRefusal(next && takenBy ? { id, keys: next, takenBy } : undefined);
    if (takenBy !== undefined) return;
    const { [id]: _former, ...changed } = keys.changed;
    onChange({ ...keys, changed: next === undefined ? changed : { ...changed, [id]: next } });
  };
  const record = (id: CommandId, event: KeyboardEvent) => {
    if (recording?.id !== id || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') stop();
    else if (event.key === 'Delete' || event.key === 'Backspace') change(id, '');
    else {
      const recorded = recordKey(recording.typed, event);
      if (recorded === undefined) return;
      clearTimeout(timer.current);
      if (recorded.isComplete) return change(id, recorded.keys);
      setRecording({ id, typed: recorded.keys });
      timer.current = setTimeout(() => change(id, recorded.keys), SEQUENCE_MS);
    }
  };
  return (
    <>
      <VisuallyHidden>
        <span role="status">{recording === undefined ? '' : t('settings.preferences.pressKey')}</span>
      </VisuallyHidden>
      {COMMAND_GROUPS.map((group) => (
        <table key={group} className={styles.keys}>
          <caption>{t(`keys.groups.${group}`)}</caption>
          <tbody>
            {COMMAND_IDS.filter((id) => bindingOf(id).group === group).map((id) => (
              <tr key={id}>
                <th scope="row">{nameOfCommand(id)}</th>
                <td>
                  <span className={styles.shownKeys}>
                    <ShownKeys keys={keysOf(id, keys)} />
                  </span>
                  {refusal?.id === id && (
                    <span role="alert" className={styles.refusal}>
                      <Kbd keys={refusal.keys} />{' '}
                      {t('settings.preferences.keyTaken', { name: nameOfCommand(refusal.takenBy) })}
                    </span>
                  )}
                </td>
                <td>
                  {bindingOf(id).keys === undefined ? null : (
                    <Button
                      kind="quiet"
                      aria-label={t('settings.preferences.changeKeyOf', { name: nameOfCommand(id) })}
                      onClick={() => {
                        setRefusal(undefined);
                        setRecording({ id, typed: '' });
                      }}
                      onBlur={stop}
                      onKeyDown={(event) => record(id, event)}
                    >
                      {recording?.id === id ? waitingText(recording, t) : t('settings.preferences.changeKey')}
                    </Button>
                  )}
                  {keys.changed[id] === undefined ? null : (
                    <Button
                      kind="quiet"
                      aria-label={t('settings.preferences.resetKeyOf', { name: nameOfCommand(id) })}
                      onClick={() => change(id, undefined)}
                    >
                      {t('settings.preferences.resetKey')}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </>
  );
}

function waitingText({ typed }: Recording, t: ReturnType<typeof useTranslation>['t']): string {
  return typed === '' ? t('settings.preferences.pressKey') : `${typed} …`;
}
