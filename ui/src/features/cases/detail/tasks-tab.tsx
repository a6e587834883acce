import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { UserName } from '../../../design/data/values/user-name.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { Checkbox } from '../../../design/forms/choices/checkbox.tsx';
import { Combobox } from '../../../design/forms/choices/combobox.tsx';
import { Form, FormRow } from '../../../design/forms/form.tsx';
import { TextField } from '../../../design/forms/text-field.tsx';
import { useForm } from '../../../design/forms/use-form.ts';
import { SimpleTable } from '../../../design/layout/simple-table.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useUserOptions } from '../../users/use-user-options.ts';
import { type CaseTask, caseApi } from '../case-api.ts';
import { itemName } from '../items/item-tree.ts';
import styles from './case.module.css';
import type { CaseTabProps } from './case-page.tsx';

/** The tasks of a case and who does them; a tick is written at once. */
export function TasksTab({ present, changes }: CaseTabProps) {
  const { t } = useTranslation();
  const { case_id: id, tasks = [], items = [] } = present;
  // Each task gets an empty form.
  const [added, setAdded] = useState(0);
  const names = new Map(items.map((item) => [item.id, itemName(item)]));
  const plan = (change: (present: readonly CaseTask[]) => readonly CaseTask[]) =>
    changes.run(() => caseApi.changeTasks(id, change));
  const rows = tasks.toSorted((one, other) => Number(one.complete) - Number(other.complete));
  return (
    <div className={styles.tab}>
      <NewTask
        key={added}
        onAdd={async (task) => {
          await changes.write(() => caseApi.changeTasks(id, (all) => [...all, task]));
          setAdded((count) => count + 1);
        }}
        items={items.map((item) => ({ value: item.id, label: itemName(item).slice(0, 200) }))}
      />
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
              id: 'remove',
              cell: (task) => (
                <IconButton
                  icon={Trash2}
                  small
                  label={t('cases.tasks.removeOf', { task: task.summary.slice(0, 80) })}
                  onClick={() => void plan((all) => all.filter((one) => one.id !== task.id))}
                />
              ),
            },
          ]}
        />
      )}
    </div>
  );
}

interface NewTaskProps {
  readonly onAdd: (task: CaseTask) => Promise<void>;
  readonly items: readonly { readonly value: string; readonly label: string }[];
}

function NewTask({ onAdd, items }: NewTaskProps) {
  const { t } = useTranslation();
  const users = useUserOptions();
  const form = useForm<NewTaskValues>({
    initial: { summary: '', assignment: undefined, item: undefined },
    validate: ({ summary }) => ({ summary: summary.trim() === '' ? t('common.required') : undefined }),
    submit: async ({ summary, assignment, item }) => {
      const given = { ...(assignment === undefined ? {} : { assignment }), ...(item === undefined ? {} : { item }) };
      await onAdd({ id: crypto.randomUUID(), complete: false, summary: summary.trim(), ...given });
    },
  });
  return (
    <div className={styles.form}>
      <Form form={form} label={t('cases.tasks.add')} submitLabel={t('cases.tasks.add')}>
        <TextField label={t('cases.tasks.summary')} {...form.field('summary')} />
        <FormRow>
          <Combobox label={t('cases.tasks.assignment')} optional {...users} allowNew {...form.field('assignment')} />
          <Combobox label={t('cases.tasks.item')} optional options={items} {...form.field('item')} />
        </FormRow>
      </Form>
    </div>
  );
}

interface NewTaskValues {
  readonly summary: string;
  readonly assignment: string | undefined;
  readonly item: string | undefined;
}
