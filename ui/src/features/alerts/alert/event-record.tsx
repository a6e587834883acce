import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { searchRecords } from '../../../api/alert-searches.ts';
import { Time } from '../../../design/data/values/time.tsx';
import { TabPanel, Tabs } from '../../../design/layout/tabs.tsx';
import { Loading } from '../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { queryOfIds } from '../../query/model/record-queries.ts';
import type { Alert } from '../triage/alert.ts';
import { FieldsTab } from './tabs/fields-tab.tsx';
import { RawTab } from './tabs/raw-tab.tsx';
import { ValueActionsProvider, type ValueCallbacks } from './values/value-actions.tsx';

interface Props {
  readonly id: string;
  readonly callbacks: ValueCallbacks;
  /** Stands in place of an event that was deleted, or that the reader may not see. */
  readonly missing: ReactNode;
}

/** Draws an event, a record without triage: its fields, whose values have the menu of those of alerts. */
export function EventRecord({ id, callbacks, missing }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'event', id],
    queryFn: async ({ signal }) => {
      const search = { query: queryOfIds([id]), rows: 1 };
      return (await searchRecords<Alert>(search, { indexes: 'event', signal })).items[0] ?? null;
    },
  });
  if (error !== null) return <ProblemPanel problem={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return data === null ? missing : <Contents event={data} callbacks={callbacks} />;
}

function Contents({ event, callbacks }: { event: Alert; callbacks: ValueCallbacks }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<'fields' | 'raw'>('fields');
  return (
    <ValueActionsProvider record={event.howler.id} callbacks={callbacks}>
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
