import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { ApiProblem } from '../../../../api/problem.ts';
import { Button } from '../../../../design/controls/button.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { ConfirmDialog } from '../../../../design/overlays/confirm-dialog.tsx';
import { Loading } from '../../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { actionQuery } from '../../../actions/action-api.ts';
import { operationName } from '../../../actions/action-words.ts';
import { queryOfIds } from '../../../query/model/record-queries.ts';
import { performAction } from '../../triage/perform.ts';
import { useTriageTools } from '../../triage/triage-tools.ts';
import styles from './widgets.module.css';

interface Props {
  /** Identifier of the saved action. */
  readonly id: string;
  readonly alertId: string;
  /** The words of the template for it; default: the name of the action. */
  readonly label?: string | undefined;
}

/**
 * Draws a button that runs a saved action on an alert. Templates can be written by other people, and
 * say what they like: the question names the action itself and what it does.
 */
export function ActionButton({ id, alertId, label }: Props) {
  const { t } = useTranslation();
  const tools = useTriageTools();
  const [isAsking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery(actionQuery(id));
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <span>
        {t('alert.widgets.noAction')} <Value value={id} copy />
      </span>
    );
  }
  if (error !== null) return <ProblemPanel problem={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const { name, operations } = data;
  const run = () => {
    const selection = { query: queryOfIds([alertId]), filters: [], total: 1 };
    void performAction(id, selection, tools, 1);
  };
  return (
    <>
      <span className={styles.line}>
        <Value value={label ?? name} limit={120} />
        <Button
          icon={Play}
          aria-label={t('alert.widgets.run', { name: label ?? name })}
          onClick={() => setAsking(true)}
        >
          {t('alert.action.run')}
        </Button>
      </span>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('alert.widgets.runTitle', { name })}
        confirmLabel={t('alert.action.run')}
        onConfirm={run}
      >
        <p>{t('alert.widgets.runText')}</p>
        <ul className={styles.operations}>
          {operations.map(({ operation_id }) => (
            <li key={operation_id}>{operationName(t, operation_id)}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  );
}
