import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { searchRecords } from '../../../api/alert-searches.ts';
import { Button } from '../../../design/controls/button.tsx';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { Pane } from '../../../design/layout/page.tsx';
import { TabPanel, Tabs } from '../../../design/layout/tabs.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { Loading } from '../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useCommands } from '../../../keys/commands.tsx';
import { queryOfIds } from '../../query/model/record-queries.ts';
import { FieldsTab } from '../alert/tabs/fields-tab.tsx';
import { RawTab } from '../alert/tabs/raw-tab.tsx';
import { ValueActionsProvider, type ValueCallbacks } from '../alert/values/value-actions.tsx';
import type { Alert } from '../triage/alert.ts';

interface Props extends ValueCallbacks {
  readonly id: string;
  readonly onClose: () => void;
}

/** Draws an event, a record without triage: its fields, whose values have the menu of those of alerts. */
export function EventPane({ id, onClose, ...callbacks }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'event', id],
    queryFn: async ({ signal }) => {
      const search = { query: queryOfIds([id]), rows: 1 };
      return (await searchRecords<Alert>(search, { indexes: 'event', signal })).items[0] ?? null;
    },
  });
  useCommands([{ id: 'close', run: onClose }]);
  return (
    <Pane
      title={t('alerts.event.title')}
      actions={<IconButton icon={X} label={t('common.close')} onClick={onClose} />}
      flush
    >
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading /> : null}
      {data === null ? (
        <EmptyState title={t('alerts.event.missing')} action={<Button onClick={onClose}>{t('common.close')}</Button>} />
      ) : null}
      {data ? <Fields event={data} callbacks={callbacks} /> : null}
    </Pane>
  );
}

function Fields({ event, callbacks }: { event: Alert; callbacks: ValueCallbacks }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<'fields' | 'raw'>('fields');
  return (
    <ValueActionsProvider callbacks={callbacks}>
      <p>
        <Time value={event.event?.created ?? event.timestamp} form="both" />
      </p>
      <Tabs
        label={t('alerts.event.title')}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'fields', label: t('alert.tabs.fields') },
          { value: 'raw', label: t('alert.tabs.raw') },
        ]}
      >
        <TabPanel value="fields">
          <FieldsTab alert={event} />
        </TabPanel>
        <TabPanel value="raw">
          <RawTab alert={event} />
        </TabPanel>
      </Tabs>
    </ValueActionsProvider>
  );
}
