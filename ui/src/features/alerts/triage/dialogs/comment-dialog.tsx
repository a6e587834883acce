import { useRef, useState } from 'react';
import { TextArea } from '../../../../design/forms/text-area.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { MAX_COMMENT } from '../../alert/tabs/comment-draft.ts';
import { countOf } from '../targets.ts';
import type { TriageDialogProps } from '../triage-dialogs.tsx';
import { TriageForm } from './triage-form.tsx';

/** Draws a comment for alerts that are not open beside. */
export function CommentDialog({ selection, onClose, onChange, typed }: TriageDialogProps) {
  const { t } = useTranslation();
  const first = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(typed?.kind === 'comment' ? typed.text : '');
  const isEmpty = text.trim() === '';
  const submit = () => {
    if (!isEmpty) onChange({ kind: 'comment', text: text.trim() });
  };
  return (
    <TriageForm
      title={t('alert.comments.titleMany', { count: countOf(selection) })}
      initialFocus={first}
      submitLabel={t('alert.comments.submit')}
      keys="Ctrl Enter"
      isReady={!isEmpty}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        ref={first}
        label={t('alert.comments.text')}
        hint={t('alert.comments.hint')}
        value={text}
        onChange={setText}
        maxLength={MAX_COMMENT}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
    </TriageForm>
  );
}
