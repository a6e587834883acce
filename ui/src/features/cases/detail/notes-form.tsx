import { useEffect } from 'react';
import { Form } from '../../../design/forms/form.tsx';
import { TextArea } from '../../../design/forms/text-area.tsx';
import { TextField } from '../../../design/forms/text-field.tsx';
import { useForm } from '../../../design/forms/use-form.ts';
import { useLater } from '../../../design/forms/use-later.ts';
import { useTranslation } from '../../../i18n/translation.ts';
import type { CaseMembers } from '../case-api.ts';
import styles from './case.module.css';
import { type NotesDraft, writeNotesDraft } from './notes-draft.ts';

interface Props {
  /** The name under which the draft is kept. */
  readonly name: string;
  readonly draft: NotesDraft;
  readonly onClose: () => void;
  /** Resolves to false when it was refused; the form stays open then. */
  readonly onSave: (seen: CaseMembers, change: CaseMembers) => Promise<boolean>;
}

const NAMES = ['title', 'summary', 'overview'] as const;

/** Edits title, summary and notes of a case. What is typed survives a reload. */
export function NotesForm({ name, draft: { before, typed }, onClose, onSave }: Props) {
  const { t } = useTranslation();
  const close = () => {
    writeNotesDraft(name, undefined);
    onClose();
  };
  const form = useForm({
    initial: typed,
    validate: ({ title, summary }) => ({
      title: title.trim() === '' ? t('common.required') : undefined,
      summary: summary.trim() === '' ? t('common.required') : undefined,
    }),
    submit: async (values) => {
      const changed = NAMES.filter((member) => values[member] !== before[member]);
      const change = Object.fromEntries(changed.map((member) => [member, values[member]]));
      if (changed.length === 0 || (await onSave(before, change))) close();
    },
  });
  const later = useLater(form.values);
  useEffect(() => {
    const isChanged = NAMES.some((member) => later[member] !== before[member]);
    writeNotesDraft(name, isChanged ? { before, typed: later } : undefined);
  }, [name, before, later]);
  return (
    <div className={styles.form}>
      <Form
        form={form}
        label={t('cases.overview.edit')}
        submitLabel={t('common.save')}
        onCancel={close}
        // A change that was refused, or kept back, can be sent again as it is.
        allowUnchanged
      >
        <TextField label={t('cases.members.title')} required {...form.field('title')} />
        <TextArea label={t('cases.members.summary')} rows={3} required {...form.field('summary')} />
        <TextArea
          label={t('cases.members.overview')}
          hint={t('cases.overview.markdown')}
          rows={16}
          data
          autoFocus
          {...form.field('overview')}
        />
      </Form>
    </div>
  );
}
