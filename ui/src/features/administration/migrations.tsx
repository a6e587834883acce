import { operations } from '../../api/clients.ts';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './administration.module.css';
import { Reading, useOperation } from './reading.tsx';

/** Changes of stored data: which were applied, which wait, who runs one. */
export function Migrations() {
  const { t } = useTranslation();
  const label = t('administration.sections.migrations');
  const result = useOperation(['migrations'], (signal) => operations.GET('/v1/migrations', { signal }));
  return (
    <Reading label={label} result={result}>
      {({ migrations }) => (
        <SimpleTable
          isPageList
          label={label}
          rows={migrations}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'migration',
              title: t('administration.migrations.migration'),
              cell: ({ id, title }) => (
                <>
                  <Value value={id} />
                  <div className={styles.detail}>{title}</div>
                </>
              ),
            },
            {
              id: 'state',
              title: t('administration.state'),
              cell: ({ state, problem }) => (
                <>
                  {t(`administration.migrations.states.${state}`)}
                  {problem === null ? null : <div className={styles.failed}>{problem}</div>}
                </>
              ),
            },
            {
              id: 'applied',
              title: t('administration.migrations.applied'),
              cell: ({ applied_at: applied }) => (applied === null ? '–' : <Time value={applied} />),
            },
            {
              id: 'claim',
              title: t('administration.migrations.claim'),
              cell: ({ claim }) => (claim === null ? '–' : <Time value={claim.since} />),
            },
          ]}
        />
      )}
    </Reading>
  );
}
