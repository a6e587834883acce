import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { ClassificationMark } from '../../../design/data/marks/classification-marks.tsx';
import { Markdown } from '../../../design/data/records/markdown.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { Form } from '../../../design/forms/form.tsx';
import { TextArea } from '../../../design/forms/text-area.tsx';
import { TextField } from '../../../design/forms/text-field.tsx';
import { useForm } from '../../../design/forms/use-form.ts';
import { useTranslation } from '../../../i18n/translation.ts';
import type { Case, CaseMembers } from '../case-api.ts';
import styles from './case.module.css';
import type { CaseTabProps } from './case-page.tsx';

/** Shows the summary, times and notes of a case, and lets a person write them. */
export function OverviewTab({ present, changes }: CaseTabProps) {
  const { t } = useTranslation();
  // The case as it was when editing began: what others write meanwhile is a conflict, never lost.
  const [edited, setEdited] = useState<Case | undefined>(undefined);
  if (edited !== undefined) {
    return (
      <div className={styles.tab}>
        <NotesForm
          seen={edited}
          onCancel={() => setEdited(undefined)}
          onSave={async (seen, change) => {
            if (await changes.change(seen, change)) setEdited(undefined);
          }}
        />
      </div>
    );
  }
  const { case_id: id, summary, overview = '', created, updated, start, end, classification } = present;
  return (
    <div className={styles.tab}>
      <section className={styles.section}>
        <h2 className={styles.head}>{t('cases.members.summary')}</h2>
        <div className={styles.text}>
          <Value value={summary} lines limit={4000} />
        </div>
      </section>
      <dl className={styles.facts}>
        <dt>{t('cases.overview.id')}</dt>
        <dd>
          <Value value={id} copy />
        </dd>
        <dt>{t('cases.overview.classification')}</dt>
        <dd>
          <ClassificationMark value={classification} />
        </dd>
        <Moment label={t('cases.columns.created')} value={created} />
        <Moment label={t('cases.columns.updated')} value={updated} />
        <Moment label={t('cases.overview.start')} value={start} />
        <Moment label={t('cases.overview.end')} value={end} />
      </dl>
      <section className={styles.section}>
        <div className={styles.line}>
          <h2 className={styles.head}>{t('cases.members.overview')}</h2>
          <Button kind="quiet" icon={Pencil} onClick={() => setEdited(present)}>
            {t('common.edit')}
          </Button>
        </div>
        {overview === '' ? (
          <p className={styles.quiet}>{t('cases.overview.noNotes')}</p>
        ) : (
          <div className={styles.text}>
            <Markdown text={overview} />
          </div>
        )}
      </section>
    </div>
  );
}

function Moment({ label, value }: { readonly label: string; readonly value: string | undefined }) {
  if (value === undefined) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <Time value={value} form="both" />
      </dd>
    </>
  );
}

interface FormProps {
  readonly seen: Case;
  readonly onCancel: () => void;
  readonly onSave: (seen: CaseMembers, change: CaseMembers) => Promise<void>;
}

function NotesForm({ seen, onCancel, onSave }: FormProps) {
  const { t } = useTranslation();
  const before = { title: seen.title, summary: seen.summary, overview: seen.overview ?? '' };
  const form = useForm({
    initial: before,
    validate: ({ title, summary }) => ({
      title: title.trim() === '' ? t('common.required') : undefined,
      summary: summary.trim() === '' ? t('common.required') : undefined,
    }),
    submit: (values) => {
      const names = ['title', 'summary', 'overview'] as const;
      const change = Object.fromEntries(
        names.filter((name) => values[name] !== before[name]).map((name) => [name, values[name]]),
      );
      return Object.keys(change).length === 0 ? Promise.resolve(onCancel()) : onSave(before, change);
    },
  });
  return (
    <div className={styles.form}>
      <Form
        form={form}
        label={t('cases.overview.edit')}
        submitLabel={t('common.save')}
        onCancel={onCancel}
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
