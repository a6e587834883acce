import { PencilLine, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { UserName } from '../../../design/data/values/user-name.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { Checkbox } from '../../../design/forms/choices/checkbox.tsx';
import { SimpleTable } from '../../../design/layout/simple-table.tsx';
import { ConfirmDialog } from '../../../design/overlays/confirm-dialog.tsx';
import { Dialog } from '../../../design/overlays/dialog.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { type CaseTask, caseApi } from '../case-api.ts';
import { itemName } from '../items/item-tree.ts';
import styles from './case.module.css';
import type { CaseTabProps } from './case-page.tsx';
import { TaskForm } from './task-form.tsx';

/** The tasks of a case and who does them; a tick is written at once. */
export function TasksTab({ present, changes }: CaseTabProps) {
  const { t } = useTranslation();
  const { case_id: id, tasks = [], items = [] } = present;
  // Each task gets an empty form.
  const [added, setAdded] = useState(0);
  const [edited, setEdited] = useState<CaseTask | undefined>(undefined);
  const [removed, setRemoved] = useState<CaseTask | undefined>(undefined);
  const options = items.map((item) => ({ value: item.id, label: itemName(item).slice(0, 200) }));
  const names = new Map(items.map((item) => [item.id, itemName(item)]));
  const plan = (change: (present: readonly CaseTask[]) => readonly CaseTask[]) =>
    changes.run(() => caseApi.changeTasks(id, change));
  const rows = tasks.toSorted((one, other) => Number(one.complete) - Number(other.complete));
  return (
    <div className={styles.tab}>
      <div className={styles.form}>
        <TaskForm
          key={added}
          caseId={id}
          items={options}
          onSave={async (members) => {
            const task = { id: crypto.randomUUID(), summary: '', complete: false };
            await changes.changeTask(task, members);
            setAdded((count) => count + 1);
          }}
        />
      </div>
      {rows.length === 0 ? (
        <EmptyState title={t('cases.tasks.none')} />
      ) : (
        <SimpleTable
          isPageList
          label={t('cases.tabs.tasks')}
          rows={rows}
          keyOf={(task) => task.id}
          columns={[
            {
              id: 'complete',
              title: t('cases.tasks.done'),
              cell: (task) => (
                <Checkbox
                  label={t('cases.tasks.doneOf', { task: task.summary.slice(0, 80) })}
                  labelHidden
                  value={task.complete}
                  onChange={(complete) =>
                    void plan((all) => all.map((one) => (one.id === task.id ? { ...one, complete } : one)))
                  }
                />
              ),
            },
            {
              id: 'summary',
              title: t('cases.tasks.summary'),
              cell: ({ summary, complete }) => (
                <span className={complete ? styles.done : undefined}>
                  <Value value={summary} lines />
                </span>
              ),
            },
            {
              id: 'assignment',
              title: t('cases.tasks.assignment'),
              cell: ({ assignment }) => <UserName user={assignment} />,
            },
            {
              id: 'item',
              title: t('cases.tasks.item'),
              cell: ({ item }) => (item === undefined ? null : <Value value={names.get(item) ?? item} limit={120} />),
            },
            {
              id: 'actions',
              cell: (task) => (
                <>
                  <IconButton
                    icon={PencilLine}
                    small
                    label={t('cases.tasks.editOf', { task: task.summary.slice(0, 80) })}
                    onClick={() => setEdited(task)}
                  />
                  <IconButton
                    icon={Trash2}
                    small
                    label={t('cases.tasks.removeOf', { task: task.summary.slice(0, 80) })}
                    onClick={() => setRemoved(task)}
                  />
                </>
              ),
            },
          ]}
        />
      )}
      <Dialog open={edited !== undefined} onClose={() => setEdited(undefined)} title={t('cases.tasks.edit')}>
        {edited === undefined ? null : (
          <TaskForm
            caseId={id}
            task={edited}
            items={options}
            onCancel={() => setEdited(undefined)}
            onSave={async (members) => {
              await changes.changeTask(edited, members);
              setEdited(undefined);
            }}
          />
        )}
      </Dialog>
      <ConfirmDialog
        open={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={t('cases.tasks.removeTitle')}
        confirmLabel={t('cases.tasks.remove')}
        danger
        onConfirm={async () => {
          const isOther = (task: CaseTask) => task.id !== removed?.id;
          await changes.write(() => caseApi.changeTasks(id, (all) => all.filter(isOther)));
        }}
      >
        {removed === undefined ? null : <Value value={removed.summary} lines />}
      </ConfirmDialog>
    </div>
  );
}
