import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Page } from '../../design/layout/page.tsx';
import { showToast } from '../../design/overlays/toasts.ts';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands } from '../../keys/commands.tsx';
import { DeleteButton } from '../saved/delete-button.tsx';
import { EditorLayout } from '../saved/editor-layout.tsx';
import { type Action, actionQuery, actionsQuery, deleteAction, operationsQuery } from './action-api.ts';
import { ActionForm } from './action-form.tsx';
import { ActionPeople } from './action-people.tsx';
import { type Person, rightsOf } from './action-rights.ts';
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
  const specifications = useQuery(operationsQuery);
  const stored = useQuery({ ...actionQuery(id ?? ''), enabled: id !== undefined });
  const action = stored.data;
  const rights = rightsOf(person, action);
  useCommands([{ id: 'close', run: () => onOpen(undefined) }]);
  const error = specifications.error ?? stored.error;
  const isReady = specifications.data !== undefined && (id === undefined || action !== undefined);
  return (
    <Page title={id === undefined ? t('actions.create') : (action?.name ?? t('actions.title'))}>
      <EditorLayout onBack={() => onOpen(undefined)}>
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
        {action !== undefined && rights.mayChange && (
          <DeleteAction
            action={action}
            refused={rights.mayDelete ? undefined : t('saved.notDeletable')}
            onDeleted={() => onOpen(undefined)}
          />
        )}
        {action !== undefined && <ActionPeople action={action} mayChange={rights.mayChange} />}
        {action !== undefined && <TriggeredRuns id={action.action_id} />}
      </EditorLayout>
    </Page>
  );
}

interface DeleteProps {
  readonly action: Action;
  readonly refused: string | undefined;
  readonly onDeleted: () => void;
}

function DeleteAction({ action, refused, onDeleted }: DeleteProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { name, triggers } = action;
  const remove = async () => {
    await deleteAction(action.action_id);
    showToast(t('actions.deleted', { name }));
    onDeleted();
    await queryClient.invalidateQueries({ queryKey: actionsQuery.queryKey });
  };
  return (
    <div>
      <DeleteButton name={name} refused={refused} onDelete={remove}>
        <p>{t('actions.deleteText')}</p>
        {triggers.length > 0 && (
          <p>
            {t('actions.deleteTriggers', { triggers: triggers.map((one) => t(`actions.trigger.${one}`)).join(', ') })}
          </p>
        )}
      </DeleteButton>
    </div>
  );
}
