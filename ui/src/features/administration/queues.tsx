import { operations } from '../../api/clients.ts';
import { Count } from '../../design/data/values/count.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './administration.module.css';
import { Reading, useOperation } from './reading.tsx';

/** Work that waits: how much of it, and since when. */
export function Queues() {
  const { t } = useTranslation();
  const label = t('administration.sections.queues');
  const result = useOperation(['queues'], (signal) => operations.GET('/v1/queues', { signal }));
  return (
    <Reading label={label} result={result}>
      {({ queues }) => (
        <SimpleTable
          isPageList
          label={label}
          rows={queues}
          keyOf={({ queue }) => queue}
          columns={[
            {
              id: 'queue',
              title: t('administration.queues.queue'),
              cell: ({ queue, description }) => (
                <>
                  <Value value={queue} />
                  <div className={styles.detail}>{description}</div>
                </>
              ),
            },
            {
              id: 'waiting',
              title: t('administration.queues.waiting'),
              align: 'end',
              cell: ({ waiting }) => <Count value={waiting} />,
            },
            {
              id: 'oldest',
              title: t('administration.queues.oldest'),
              cell: ({ oldest_at: oldest }) => (oldest === null ? '–' : <Time value={oldest} />),
            },
          ]}
        />
      )}
    </Reading>
  );
}
