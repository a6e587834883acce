import { Pencil, SmilePlus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { IconButton } from '../../../../design/controls/icon-button.tsx';
import { Markdown } from '../../../../design/data/records/markdown.tsx';
import { Time } from '../../../../design/data/values/time.tsx';
import { UserName } from '../../../../design/data/values/user-name.tsx';
import { Form } from '../../../../design/forms/form.tsx';
import { useForm } from '../../../../design/forms/use-form.ts';
import { ConfirmDialog } from '../../../../design/overlays/confirm-dialog.tsx';
import { Menu } from '../../../../design/overlays/menu.tsx';
import { MenuItem } from '../../../../design/overlays/menu-item.tsx';
import { showToast } from '../../../../design/overlays/toasts.ts';
import { useTranslation } from '../../../../i18n/translation.ts';
import { useDraftName } from '../../../saved/draft-name.ts';
import type { AlertCopy, Comment } from '../../triage/alert.ts';
import { triageProblemOf } from '../../triage/changes/problems.ts';
import { problemSentence } from '../../triage/changes/words.ts';
import type { TriageTools } from '../../triage/triage-tools.ts';
import { CommentField } from './comment-field.tsx';
import styles from './comments.module.css';

interface Props {
  readonly alertId: string;
  readonly comment: Comment;
  readonly tools: TriageTools;
}

/** Reactions, as the public system names them. */
const REACTIONS = { thumbsup: '👍', thumbsdown: '👎', tada: '🎉', eyes: '👀', heart: '❤️' } as const;

/** Draws one comment, with what its author and others can do with it. */
export function CommentItem({ alertId, comment, tools }: Props) {
  const { t } = useTranslation();
  const [isDeleting, setDeleting] = useState(false);
  const { api, copies, capabilities } = tools;
  const isMine = comment.user === capabilities.me;
  const mayDelete = isMine || capabilities.roles.includes('admin');

  const answer = async (request: Promise<AlertCopy>) => {
    try {
      copies.replace(await request);
    } catch (error) {
      showToast(problemSentence(triageProblemOf(error)), { kind: 'problem' });
    }
  };
  const draft = useDraftName('comment-edit', comment.id);
  const form = useForm({
    draft,
    initial: { value: comment.value },
    validate: ({ value }) => ({ value: value.trim() === '' ? t('common.required') : undefined }),
    submit: async ({ value }) => {
      copies.replace(await api.editComment(alertId, comment.id, value.trim()));
      endEdit();
    },
  });
  // What was typed and not saved is open again with its comment.
  const [isEditing, setEditing] = useState(form.isRestored);
  const field = useRef<HTMLTextAreaElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const endEdit = () => {
    setEditing(false);
    requestAnimationFrame(() => editButton.current?.focus());
  };
  const cancel = () => {
    form.reset();
    endEdit();
  };
  const edit = () => {
    if (isEditing) return;
    form.reset({ value: comment.value });
    setEditing(true);
  };
  const own = comment.reactions[capabilities.me];
  const react = (type: string) => void answer(api.react(alertId, comment.id, own === type ? undefined : type));

  return (
    <li className={styles.comment}>
      <div className={styles.meta}>
        <UserName user={comment.user} /> <Time value={comment.timestamp} form="both" />
        {comment.modified !== comment.timestamp && <span className={styles.quiet}>{t('alert.comments.edited')}</span>}
        <span className={styles.space} />
        <Menu trigger={<IconButton icon={SmilePlus} small label={t('alert.comments.react')} />}>
          {Object.entries(REACTIONS).map(([type, sign]) => (
            <MenuItem key={type} onSelect={() => react(type)}>
              {sign}
            </MenuItem>
          ))}
        </Menu>
        {isMine && <IconButton ref={editButton} icon={Pencil} small label={t('common.edit')} onClick={edit} />}
        {mayDelete && <IconButton icon={Trash2} small label={t('common.delete')} onClick={() => setDeleting(true)} />}
      </div>
      {isEditing ? (
        <Form form={form} label={t('common.edit')} submitLabel={t('common.save')} onCancel={cancel}>
          <CommentField
            field={field}
            label={t('alert.comments.text')}
            labelHidden
            autoFocus={!form.isRestored}
            {...form.field('value')}
          />
        </Form>
      ) : (
        <Markdown text={comment.value} />
      )}
      <Reactions reactions={comment.reactions} own={own} onReact={react} />
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={t('alert.comments.deleteTitle')}
        confirmLabel={t('common.delete')}
        danger
        onConfirm={async () => copies.replace(await api.deleteComment(alertId, comment.id))}
      >
        {t('alert.comments.deleteText')}
      </ConfirmDialog>
    </li>
  );
}

interface ReactionsProps {
  readonly reactions: Readonly<Record<string, string>>;
  readonly own: string | undefined;
  readonly onReact: (type: string) => void;
}

function Reactions({ reactions, own, onReact }: ReactionsProps) {
  const byType = Map.groupBy(Object.entries(reactions), ([, type]) => type);
  if (byType.size === 0) return null;
  return (
    <div className={styles.meta}>
      {[...byType].map(([type, users]) => (
        <Button
          key={type}
          kind={type === own ? 'primary' : 'plain'}
          aria-pressed={type === own}
          title={users.map(([user]) => user).join(', ')}
          onClick={() => onReact(type)}
        >
          {`${signOf(type)} ${users.length}`}
        </Button>
      ))}
    </div>
  );
}

/** Returns the sign of a reaction; one of a later version has its name alone. */
function signOf(type: string): string {
  return Object.entries(REACTIONS).find(([name]) => name === type)?.[1] ?? type.slice(0, 20);
}
