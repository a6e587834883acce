import { Combobox } from '../../../design/forms/choices/combobox.tsx';
import { Form, FormRow } from '../../../design/forms/form.tsx';
import { forgetDraft } from '../../../design/forms/form-draft.ts';
import { TextField } from '../../../design/forms/text-field.tsx';
import { useForm } from '../../../design/forms/use-form.ts';
import { useTranslation } from '../../../i18n/translation.ts';
import { useDraftName } from '../../saved/draft-name.ts';
import { useUserOptions } from '../../users/use-user-options.ts';
import type { CaseTask, TaskMembers } from '../case-api.ts';

interface Props {
  readonly caseId: string;
  /** The task to change. Undefined: a new one. */
  readonly task?: CaseTask;
  readonly items: readonly { readonly value: string; readonly label: string }[];
  readonly onSave: (members: TaskMembers) => Promise<unknown>;
  readonly onCancel?: () => void;
}

/** Asks what is to be done, by whom, and about which item. */
export function TaskForm({ caseId, task, items, onSave, onCancel }: Props) {
  const { t } = useTranslation();
  const users = useUserOptions();
  const draft = useDraftName('case-task', task === undefined ? caseId : `${caseId}.${task.id}`);
  const form = useForm({
    // Drafts keep strings: an empty one is no choice.
    initial: { summary: task?.summary ?? '', assignment: task?.assignment ?? '', item: task?.item ?? '' },
    draft,
    validate: ({ summary }) => ({ summary: summary.trim() === '' ? t('common.required') : undefined }),
    submit: ({ summary, assignment, item }) =>
      onSave({
        summary: summary.trim(),
        assignment: assignment === '' ? undefined : assignment,
        item: item === '' ? undefined : item,
      }),
  });
  const choice = (name: 'assignment' | 'item') => {
    const { value, onChange, ...field } = form.field(name);
    return { ...field, value: value === '' ? undefined : value, onChange: (next = '') => onChange(next) };
  };
  const cancel = onCancel && {
    onCancel: () => {
      forgetDraft(draft);
      onCancel();
    },
  };
  const isNew = task === undefined;
  return (
    <Form
      form={form}
      label={t(isNew ? 'cases.tasks.add' : 'cases.tasks.edit')}
      submitLabel={t(isNew ? 'cases.tasks.add' : 'common.save')}
      {...cancel}
    >
      <TextField label={t('cases.tasks.summary')} autoFocus={!isNew} {...form.field('summary')} />
      <FormRow>
        <Combobox label={t('cases.tasks.assignment')} optional {...users} allowNew {...choice('assignment')} />
        <Combobox label={t('cases.tasks.item')} optional options={items} {...choice('item')} />
      </FormRow>
    </Form>
  );
}
