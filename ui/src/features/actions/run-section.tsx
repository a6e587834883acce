import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { ProgressLine } from '../../design/data/records/progress-line.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { RadioGroup } from '../../design/forms/choices/radio-group.tsx';
import { ConfirmDialog } from '../../design/overlays/confirm-dialog.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { alertApi, type Outcome } from '../alerts/triage/requests/alert-api.ts';
import { onProgress } from '../alerts/triage/triage-tools.ts';
import { QueryField } from '../saved/query-field.tsx';
import { countAlerts } from './action-api.ts';
import { operationName } from './action-words.ts';
import styles from './actions.module.css';
import { forecastOf } from './dry-run.ts';
import { ForecastTable } from './forecast-table.tsx';
import { type ChosenOperation, type OperationSpecification, storedOperation } from './operation-arguments.ts';
import { ReportTable } from './report-table.tsx';

interface Props {
  readonly query: string;
  readonly operations: readonly ChosenOperation[];
  readonly specifications: readonly OperationSpecification[];
  readonly roles: readonly string[];
}

interface Planned {
  readonly query: string;
  readonly operations: readonly ChosenOperation[];
  readonly count: number;
}

/** Tries operations without a change, and runs them after a question. */
export function RunSection({ query: own, operations, specifications, roles }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [place, setPlace] = useState<'own' | 'other'>('own');
  const [other, setOther] = useState('');
  const [planned, setPlanned] = useState<Planned | undefined>(undefined);
  const [processed, setProcessed] = useState(0);
  const query = (place === 'own' ? own : other).trim();
  const isReady = query !== '' && operations.length > 0;

  const trial = useMutation({
    mutationFn: (what: Pick<Planned, 'query' | 'operations'>) =>
      forecastOf(what.query, what.operations, specifications, countAlerts, roles),
  });
  const tryOut = () => trial.mutate({ query, operations });
  // What was counted for another query or other operations says nothing any more.
  const isFresh = trial.variables?.query === query && trial.variables.operations === operations;
  const plan = useMutation({
    mutationFn: async () => setPlanned({ query, operations, count: await countAlerts(query, []) }),
  });
  const run = useMutation({
    mutationFn: async (what: Planned): Promise<Readonly<Record<string, readonly Outcome[]>>> => {
      const requestId = crypto.randomUUID();
      setProcessed(0);
      const stop = onProgress(requestId, setProcessed);
      try {
        return await alertApi.execute({
          requestId,
          query: what.query,
          operations: what.operations.map(storedOperation),
        });
      } finally {
        stop();
        // Alerts, their lists and counts may be others now.
        void queryClient.invalidateQueries({ queryKey: ['alerts'] });
      }
    },
  });
  const begin = (what: Planned) => {
    trial.reset();
    run.mutate(what);
  };
  const problem = run.error ?? plan.error ?? (isFresh ? trial.error : null);

  return (
    <section className={styles.section} aria-labelledby="action-run">
      <h2 id="action-run">{t('actions.run.title')}</h2>
      <p className={styles.hint}>{t('actions.run.text')}</p>
      <RadioGroup
        label={t('actions.run.on')}
        inline
        options={[
          { value: 'own', label: t('actions.run.own') },
          { value: 'other', label: t('actions.run.other') },
        ]}
        value={place}
        onChange={setPlace}
      />
      {place === 'other' && (
        <QueryField label={t('actions.query')} value={other} onChange={setOther} onRun={() => isReady && tryOut()} />
      )}
      <div className={styles.buttons}>
        <Button disabled={!isReady} busy={trial.isPending} onClick={tryOut}>
          {t('actions.run.dry')}
        </Button>
        <Button disabled={!isReady} busy={plan.isPending || run.isPending} onClick={() => plan.mutate()}>
          {t('actions.run.run')}
        </Button>
      </div>
      {!isReady && <p className={styles.hint}>{t('actions.run.needed')}</p>}
      {problem === null ? null : <ProblemPanel problem={problem} />}
      {trial.data && isFresh && <ForecastTable forecast={trial.data} specifications={specifications} />}
      {run.isPending && (
        <ProgressLine
          label={t('actions.run.running')}
          done={processed}
          total={processed === 0 ? undefined : run.variables.count}
        />
      )}
      {run.data && <ReportTable report={run.data} specifications={specifications} />}
      <ConfirmDialog
        open={planned !== undefined}
        onClose={() => setPlanned(undefined)}
        title={t('actions.run.confirm', { count: planned?.count ?? 0 })}
        confirmLabel={t('actions.run.confirmLabel')}
        danger
        onConfirm={() => {
          if (planned !== undefined) begin(planned);
        }}
      >
        {planned?.count === 0 && <p>{t('actions.run.nothing')}</p>}
        <p>{t('actions.run.confirmText')}</p>
        <ul>
          {planned?.operations.map(({ id }) => (
            <li key={id}>
              {operationName(
                t,
                id,
                specifications.find((one) => one.id === id),
              )}
            </li>
          ))}
        </ul>
        <Value value={planned?.query} limit={300} />
      </ConfirmDialog>
    </section>
  );
}
