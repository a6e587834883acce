import { useState } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { EmptyState } from '../../../../design/states/empty-state.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { Alert } from '../../triage/alert.ts';
import type { TriageTools } from '../../triage/triage-tools.ts';
import { CommentEditor } from './comment-editor.tsx';
import { CommentItem } from './comment-item.tsx';
import styles from './comments.module.css';

const STEP = 50;

interface Props {
  readonly alert: Alert;
  readonly tools: TriageTools;
  readonly takesFocus: boolean;
}

/** Draws what people said about an alert, the newest last, and the field for another comment. */
export function CommentsTab({ alert, tools, takesFocus }: Props) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(STEP);
  const { comment, id } = alert.howler;
  const shown = comment.slice(-limit);
  return (
    <div className={styles.tab}>
      {comment.length === 0 && <EmptyState title={t('alert.comments.none')} />}
      {shown.length < comment.length && (
        <Button onClick={() => setLimit(limit + 10 * STEP)}>
          {t('alert.comments.earlier', { count: comment.length - shown.length })}
        </Button>
      )}
      <ol className={styles.list}>
        {shown.map((one) => (
          <CommentItem key={one.id} alertId={id} comment={one} tools={tools} />
        ))}
      </ol>
      <CommentEditor alert={alert} tools={tools} takesFocus={takesFocus} />
    </div>
  );
}
