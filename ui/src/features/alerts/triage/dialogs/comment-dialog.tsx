import { useRef, useState } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { TextArea } from '../../../../design/forms/text-area.tsx';
import { Dialog, DialogFooter } from '../../../../design/overlays/dialog.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { countOf } from '../targets.ts';
import type { TriageDialogProps } from '../triage-dialogs.tsx';
import styles from './dialogs.module.css';

/** Characters that the service takes. */
const MAX_LENGTH = 5000;

/** Draws a comment for alerts that are not open beside. */
export function CommentDialog({ selection, onClose, onChange }: TriageDialogProps) {
  const { t } = useTranslation();
  const first = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const isEmpty = text.trim() === '';
  const submit = () => {
    if (!isEmpty) onChange({ kind: 'comment', text: text.trim() });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('alert.comments.titleMany', { count: countOf(selection) })}
      initialFocus={first}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextArea
          ref={first}
          label={t('alert.comments.text')}
          hint={t('alert.comments.hint')}
          value={text}
          onChange={setText}
          maxLength={MAX_LENGTH}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
          }}
        />
        <DialogFooter>
          <Button type="submit" kind="primary" keys="Ctrl Enter" disabled={isEmpty}>
            {t('alert.comments.submit')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
