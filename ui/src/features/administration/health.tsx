import { operations } from '../../api/clients.ts';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './administration.module.css';
import { Reading, useOperation } from './reading.tsx';

/** Every part of the program, whether it works, and how long it took to say so. */
export function Health() {
  const { t } = useTranslation();
  const label = t('administration.sections.health');
  const result = useOperation(['health'], (signal) => operations.GET('/v1/health', { signal }));
  return (
    <Reading label={label} result={result}>
      {({ checks }) => (
        <SimpleTable
          isPageList
          label={label}
          rows={checks}
          keyOf={({ name }) => name}
          columns={[
            { id: 'state', title: t('administration.state'), cell: ({ ok }) => <State isWell={ok} /> },
            { id: 'name', title: t('administration.health.part'), cell: ({ name }) => <Value value={name} /> },
            { id: 'detail', title: t('administration.detail'), cell: ({ detail }) => detail },
            {
              id: 'required',
              title: t('administration.health.required'),
              cell: ({ required }) => t(required ? 'common.yes' : 'common.no'),
            },
            {
              id: 'time',
              title: t('administration.health.time'),
              align: 'end',
              cell: ({ milliseconds }) => `${milliseconds.toFixed(1)} ms`,
            },
          ]}
        />
      )}
    </Reading>
  );
}

function State({ isWell }: { isWell: boolean }) {
  const { t } = useTranslation();
  return isWell ? (
    <span>● {t('administration.well')}</span>
  ) : (
    <span className={styles.failed}>◆ {t('administration.failed')}</span>
  );
}
