import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { Page } from '../../design/layout/page.tsx';
import { ConfirmDialog } from '../../design/overlays/confirm-dialog.tsx';
import { showToast } from '../../design/overlays/toasts.ts';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands } from '../../keys/commands.tsx';
import { actionQuery, actionsQuery, deleteAction, operationsQuery } from './action-api.ts';
import { ActionForm } from './action-form.tsx';
import { ActionPeople } from './action-people.tsx';
import { type Person, rightsOf } from './action-rights.ts';
import styles from './actions.module.css';
import { TriggeredRuns } from './triggered-runs.tsx';

interface Props {
  /** Undefined: a new action. */
  readonly id: string | undefined;
  readonly query: string | undefined;
  readonly person: Person;
  /** Opens an action, or the list. */
  readonly onOpen: (id: string | undefined) => void;
}

/** One action: its form, its trial and run, who may change it, its last runs. */
export function ActionEditor({ id, query, person, onOpen }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const specifications = useQuery(operationsQuery);
  const stored = useQuery({ ...actionQuery(id ?? ''), enabled: id !== undefined });
  const action = stored.data?.data;
  const rights = rightsOf(person, action);
  useCommands([{ id: 'close', run: () => onOpen(undefined) }]);
  const error = specifications.error ?? stored.error;
  const isReady = specifications.data !== undefined && (id === undefined || action !== undefined);
  const remove = async () => {
    if (action === undefined) return;
    await deleteAction(action.action_id);
    showToast(t('actions.deleted', { name: action.name }));
    await queryClient.invalidateQueries({ queryKey: actionsQuery.queryKey });
    onOpen(undefined);
  };
  const buttons = (
    <>
      <Button kind="quiet" icon={ArrowLeft} onClick={() => onOpen(undefined)}>
        {t('actions.back')}
      </Button>
      {action !== undefined && rights.mayDelete && (
        <Button icon={Trash2} onClick={() => setDeleting(true)}>
          {t('common.delete')}
        </Button>
      )}
    </>
  );
  return (
    <Page title={id === undefined ? t('actions.create') : (action?.name ?? t('actions.title'))} actions={buttons}>
      <div className={styles.page}>
        {error === null ? null : <ProblemPanel problem={error} />}
        {!isReady && error === null && <Loading />}
        {isReady && (
          <ActionForm
            {...{ action, query, rights }}
            specifications={specifications.data}
            roles={person.roles}
            onCreated={onOpen}
          />
        )}
        {action !== undefined && rights.mayChange && !rights.mayDelete && (
          <p className={styles.hint}>{t('saved.notDeletable')}</p>
        )}
        {action !== undefined && <ActionPeople action={action} disabled={!rights.mayChange} />}
        {action !== undefined && <TriggeredRuns id={action.action_id} />}
      </div>
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={t('actions.deleteTitle', { name: action?.name ?? '' })}
        confirmLabel={t('common.delete')}
        onConfirm={remove}
        danger
      >
        <p>{t('actions.deleteText')}</p>
        {action !== undefined && action.triggers.length > 0 && (
          <p>
            {t('actions.deleteTriggers', {
              triggers: action.triggers.map((one) => t(`actions.trigger.${one}`)).join(', '),
            })}
          </p>
        )}
      </ConfirmDialog>
    </Page>
  );
}
