import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { alerts } from '../../api/clients.ts';
import type { components } from '../../api/generated/alerts.ts';
import { IconButton } from '../../design/controls/icon-button.tsx';
import { Markdown } from '../../design/data/records/markdown.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { Form } from '../../design/forms/form.tsx';
import { TextArea } from '../../design/forms/text-area.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { ConfirmDialog } from '../../design/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useMe } from '../../shell/ownership.ts';
import { MAX_COMMENT } from '../alerts/alert/tabs/comment-draft.ts';
import { useDraftName } from '../saved/draft-name.ts';
import styles from '../saved/saved.module.css';
import { useAnalyticChange } from './use-analytic-changes.ts';

interface Props {
  /** The analytic. */
  readonly id: string;
  readonly comment: components['schemas']['AnalyticComment'];
}

/** Draws one comment; its author edits it, and administrators may delete it, too. */
export function AnalyticComment({ id, comment }: Props) {
  const { t } = useTranslation();
  const me = useMe();
  const change = useAnalyticChange();
  const [isDeleting, setDeleting] = useState(false);
  const isMine = comment.user === me.username;
  const form = useForm({
    draft: useDraftName('analytic-comment', comment.id),
    initial: { value: comment.value },
    submit: async (body) => {
      const params = { path: { id, comment_id: comment.id } };
      await change(alerts.PUT('/api/v1/analytic/{id}/comments/{comment_id}', { params, body }));
      setEditing(false);
    },
  });
  const [isEditing, setEditing] = useState(form.isRestored);
  return (
    <li className={styles.part}>
      <div className={styles.line}>
        <UserName user={comment.user} /> <Time value={comment.timestamp} form="both" />
        {comment.detection ? <Value value={comment.detection} inline /> : null}
        {isMine ? <IconButton icon={Pencil} small label={t('common.edit')} onClick={() => setEditing(true)} /> : null}
        {isMine || me.isAdministrator ? (
          <IconButton icon={Trash2} small label={t('common.delete')} onClick={() => setDeleting(true)} />
        ) : null}
      </div>
      {isEditing ? (
        <Form
          form={form}
          label={t('common.edit')}
          submitLabel={t('common.save')}
          onCancel={() => {
            form.reset();
            setEditing(false);
          }}
        >
          <TextArea
            label={t('analytics.comment')}
            labelHidden
            autoFocus
            maxLength={MAX_COMMENT}
            {...form.field('value')}
          />
        </Form>
      ) : (
        <Markdown text={comment.value} />
      )}
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={t('analytics.deleteComment')}
        confirmLabel={t('common.delete')}
        danger
        onConfirm={() =>
          change(alerts.DELETE('/api/v1/analytic/{id}/comments', { params: { path: { id } }, body: [comment.id] }))
        }
      >
        {t('analytics.deleteCommentText')}
      </ConfirmDialog>
    </li>
  );
}
