import { X } from 'lucide-react';
import { Button } from '../../../design/controls/button.tsx';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { Pane } from '../../../design/layout/page.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useCommands } from '../../../keys/commands.tsx';
import { EventRecord } from '../alert/event-record.tsx';
import type { ValueCallbacks } from '../alert/values/value-actions.tsx';

interface Props extends ValueCallbacks {
  readonly id: string;
  readonly onClose: () => void;
}

/** Draws an event beside a list. */
export function EventPane({ id, onClose, ...callbacks }: Props) {
  const { t } = useTranslation();
  useCommands([{ id: 'close', run: onClose }]);
  return (
    <Pane
      title={t('alerts.event.title')}
      actions={<IconButton icon={X} label={t('common.close')} onClick={onClose} />}
      flush
    >
      <EventRecord
        id={id}
        callbacks={callbacks}
        missing={
          <EmptyState
            title={t('alerts.event.missing')}
            action={<Button onClick={onClose}>{t('common.close')}</Button>}
          />
        }
      />
    </Pane>
  );
}
