import { Link } from '@tanstack/react-router';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import type { Outcome } from '../alerts/triage/requests/alert-api.ts';
import { operationName } from './action-words.ts';
import styles from './actions.module.css';
import type { OperationSpecification } from './operation-arguments.ts';

interface Props {
  readonly report: Readonly<Record<string, readonly Outcome[]>>;
  readonly specifications: readonly OperationSpecification[];
}

/** A query of a thousand identifiers is no address. */
const MAX_LINKED = 4000;

/** Shows what became of each operation of a run. */
export function ReportTable({ report, specifications }: Props) {
  const { t } = useTranslation();
  const rows = Object.entries(report).flatMap(([id, outcomes]) =>
    outcomes.map((outcome, index) => ({ key: `${id} ${index}`, id, ...outcome })),
  );
  return (
    <div className={styles.section} role="status">
      <SimpleTable
        label={t('actions.run.report')}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          {
            id: 'operation',
            title: t('actions.run.operation'),
            cell: ({ id }) =>
              operationName(
                t,
                id,
                specifications.find((one) => one.id === id),
              ),
          },
          {
            id: 'outcome',
            title: t('actions.run.report'),
            cell: ({ outcome, message }) => (
              <span className={styles.outcome} data-outcome={outcome}>
                <strong>{t(`alert.action.outcomes.${outcome}`)}</strong> <Value value={message} limit={300} />
              </span>
            ),
          },
          {
            id: 'alerts',
            title: t('actions.run.alerts'),
            cell: ({ query }) =>
              query.length > MAX_LINKED ? (
                <Value value={query} limit={100} />
              ) : (
                <Link to="/alerts" search={{ q: query }}>
                  {t('actions.run.show')}
                </Link>
              ),
          },
        ]}
      />
    </div>
  );
}
