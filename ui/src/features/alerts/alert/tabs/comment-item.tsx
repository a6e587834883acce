import { Pencil, SmilePlus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { IconButton } from '../../../../design/controls/icon-button.tsx';
import { Markdown } from '../../../../design/data/records/markdown.tsx';
import { Time } from '../../../../design/data/values/time.tsx';
import { UserName } from '../../../../design/data/values/user-name.tsx';
import { TextArea } from '../../../../design/forms/text-area.tsx';
import { ConfirmDialog } from '../../../../design/overlays/confirm-dialog.tsx';
import { Menu } from '../../../../design/overlays/menu.tsx';
import { MenuItem } from '../../../../design/overlays/menu-item.tsx';
import { showToast } from '../../../../design/overlays/toasts.ts';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { AlertCopy, Comment } from '../../triage/alert.ts';
import { triageProblemOf } from '../../triage/changes/problems.ts';
import { problemSentence } from '../../triage/changes/words.ts';
import type { TriageTools } from '../../triage/triage-tools.ts';
import { MAX_COMMENT } from './comment-draft.ts';
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
  const [edited, setEdited] = useState<string | undefined>(undefined);
  const [isDeleting, setDeleting] = useState(false);
  const { api, copies, capabilities } = tools;
  const isMine = comment.user === capabilities.me;
  const mayDelete = isMine || capabilities.roles.includes('admin');

  const change = async (request: Promise<AlertCopy>) => {
    try {
      copies.replace(await request);
      return true;
    } catch (error) {
      showToast(problemSentence(triageProblemOf(error)), { kind: 'problem' });
      return false;
    }
  };
  const save = async () => {
    const text = edited?.trim() ?? '';
    if (text !== '' && (await change(api.editComment(alertId, comment.id, text)))) setEdited(undefined);
  };
  const own = comment.reactions[capabilities.me];
  const react = (type: string) => void change(api.react(alertId, comment.id, own === type ? undefined : type));

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
        {isMine && <IconButton icon={Pencil} small label={t('common.edit')} onClick={() => setEdited(comment.value)} />}
        {mayDelete && <IconButton icon={Trash2} small label={t('common.delete')} onClick={() => setDeleting(true)} />}
      </div>
      {edited === undefined ? (
        <Markdown text={comment.value} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <TextArea
            label={t('alert.comments.text')}
            labelHidden
            autoFocus
            value={edited}
            onChange={setEdited}
            maxLength={MAX_COMMENT}
          />
          <div className={styles.meta}>
            <Button type="submit" kind="primary">
              {t('common.save')}
            </Button>
            <Button onClick={() => setEdited(undefined)}>{t('common.cancel')}</Button>
          </div>
        </form>
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
