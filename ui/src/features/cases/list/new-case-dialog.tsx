import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Form } from '../../../design/forms/form.tsx';
import { forgetDraft } from '../../../design/forms/form-draft.ts';
import { TextArea } from '../../../design/forms/text-area.tsx';
import { TextField } from '../../../design/forms/text-field.tsx';
import { useForm } from '../../../design/forms/use-form.ts';
import { Dialog } from '../../../design/overlays/dialog.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useDraftName } from '../../saved/draft-name.ts';
import { caseApi } from '../case-api.ts';
import { CASE_LIST_KEY, caseKey } from '../detail/use-case.ts';

/** Asks for title and summary of a new case, and opens it. What is typed survives a reload. */
export function NewCaseDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const draft = useDraftName('case', undefined);
  const form = useForm({
    initial: { title: '', summary: '' },
    draft,
    validate: ({ title, summary }) => ({
      title: title.trim() === '' ? t('common.required') : undefined,
      summary: summary.trim() === '' ? t('common.required') : undefined,
    }),
    submit: async ({ title, summary }) => {
      const made = await caseApi.create(title.trim(), summary.trim());
      queries.setQueryData(caseKey(made.case_id), made);
      void queries.invalidateQueries({ queryKey: CASE_LIST_KEY });
      await navigate({ to: '/cases/$id', params: { id: made.case_id } });
    },
  });
  const cancel = () => {
    forgetDraft(draft);
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title={t('cases.create.title')} size="small">
      <Form form={form} label={t('cases.create.title')} submitLabel={t('common.create')} onCancel={cancel}>
        <TextField label={t('cases.members.title')} required autoFocus {...form.field('title')} />
        <TextArea
          label={t('cases.members.summary')}
          hint={t('cases.create.summaryHint')}
          rows={3}
          required
          {...form.field('summary')}
        />
      </Form>
    </Dialog>
  );
}
