import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { ClassificationMark } from '../../../design/data/marks/classification-marks.tsx';
import { Markdown } from '../../../design/data/records/markdown.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useDraftName } from '../../saved/draft-name.ts';
import styles from './case.module.css';
import type { CaseTabProps } from './case-page.tsx';
import { notesOf, readNotesDraft } from './notes-draft.ts';
import { NotesForm } from './notes-form.tsx';

/** Shows the summary, times and notes of a case, and lets a person write them. */
export function OverviewTab({ present, changes }: CaseTabProps) {
  const { t } = useTranslation();
  const { case_id: id, summary, overview = '', created, updated, start, end, classification } = present;
  const name = useDraftName('case', id);
  // The notes as they were when editing began: what others write meanwhile is a conflict, never lost.
  const [draft, setDraft] = useState(() => readNotesDraft(name));
  if (draft !== undefined) {
    return (
      <div className={styles.tab}>
        <NotesForm name={name} draft={draft} onClose={() => setDraft(undefined)} onSave={changes.change} />
      </div>
    );
  }
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
          <Button
            kind="quiet"
            icon={Pencil}
            onClick={() => setDraft({ before: notesOf(present), typed: notesOf(present) })}
          >
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
