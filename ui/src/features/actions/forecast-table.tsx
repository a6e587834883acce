import { Link } from '@tanstack/react-router';
import { Count } from '../../design/data/values/count.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { argumentName, operationName } from './action-words.ts';
import styles from './actions.module.css';
import type { Forecast } from './dry-run.ts';
import type { OperationSpecification } from './operation-arguments.ts';

interface Props {
  readonly forecast: Forecast;
  readonly specifications: readonly OperationSpecification[];
}

/** Shows what a run would find at this moment, by operation. */
export function ForecastTable({ forecast, specifications }: Props) {
  const { t } = useTranslation();
  const specificationOf = (id: string) => specifications.find((one) => one.id === id);
  return (
    <div className={styles.section} role="status">
      <p className={styles.hint}>
        {t('actions.run.matches', { count: forecast.matches })}{' '}
        <Link to="/alerts" search={{ q: forecast.query }}>
          {t('actions.run.show')}
        </Link>
      </p>
      <SimpleTable
        label={t('actions.run.dry')}
        rows={forecast.operations}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'operation',
            title: t('actions.run.operation'),
            cell: ({ id }) => operationName(t, id, specificationOf(id)),
          },
          {
            id: 'wouldChange',
            title: t('actions.run.changed'),
            align: 'end',
            cell: ({ wouldChange }) => <Count value={wouldChange} />,
          },
          {
            id: 'findings',
            title: t('actions.run.findings'),
            cell: ({ findings }) =>
              findings
                .filter(({ count }) => count > 0)
                .map(({ kind, query, count }) => (
                  <div key={`${kind} ${query}`}>
                    <Count value={count} /> {t(`actions.run.${kind}`)} <Value value={query} limit={200} />
                  </div>
                )),
          },
          {
            id: 'remarks',
            title: t('actions.run.remarks'),
            cell: ({ id, empty, isKnown, isAllowed, exceeded }) => {
              if (!isKnown) return t('actions.unknownStep');
              if (!isAllowed) return t('actions.stepRefused', { roles: specificationOf(id)?.roles.join(', ') });
              if (exceeded !== undefined) return t('actions.run.exceeded', { count: exceeded });
              const names = empty.map((name) => argumentName(t, name)).join(', ');
              return empty.length === 0 ? null : t('actions.run.missing', { names });
            },
          },
        ]}
      />
    </div>
  );
}
