import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { live } from '../../../../api/live.ts';
import { Button } from '../../../../design/controls/button.tsx';
import { TextArea } from '../../../../design/forms/text-area.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { searchUsers } from '../../../users/search-users.ts';
import type { Alert } from '../../triage/alert.ts';
import { perform } from '../../triage/perform.ts';
import { targetOf } from '../../triage/targets.ts';
import type { TriageTools } from '../../triage/triage-tools.ts';
import { MAX_COMMENT, mentionAt, readDraft, type TypedMention, withMention, writeDraft } from './comment-draft.ts';
import styles from './comments.module.css';

interface Props {
  readonly alert: Alert;
  readonly tools: TriageTools;
  readonly takesFocus: boolean;
}

/** Silence in ms after which a person no longer counts as writing. */
const TYPING_MS = 5000;
const MAX_USERS = 5;

/** Draws the field for a comment: a draft survives a reload, `@` completes user names. */
export function CommentEditor({ alert, tools, takesFocus }: Props) {
  const { t } = useTranslation();
  const { id } = alert.howler;
  const [text, setText] = useState(() => readDraft(id));
  const [mention, setMention] = useState<TypedMention | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const tellTyping = useTyping(id);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);

  const change = (next: string) => {
    setText(next);
    writeDraft(id, next);
    tellTyping(next !== '');
    setMention(mentionAt(next, field.current?.selectionStart ?? next.length));
  };
  const submit = async () => {
    if (text.trim() === '' || isBusy) return;
    setBusy(true);
    // A refused comment stays in the field.
    if (await perform({ kind: 'comment', text: text.trim() }, [targetOf(alert)], tools)) change('');
    setBusy(false);
  };
  const complete = (user: string) => {
    if (mention === undefined) return;
    const next = withMention(text, mention, user);
    change(next.text);
    setMention(undefined);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(next.cursor, next.cursor);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
    else if (event.key === 'Escape') {
      event.stopPropagation();
      if (mention === undefined) field.current?.blur();
      else setMention(undefined);
    }
  };
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextArea
        ref={field}
        label={t('alert.comments.text')}
        hint={t('alert.comments.hint')}
        value={text}
        onChange={change}
        onKeyDown={onKeyDown}
        maxLength={MAX_COMMENT}
      />
      {mention !== undefined && <Mentions typed={mention.typed} onChoose={complete} />}
      <div className={styles.meta}>
        <Button type="submit" kind="primary" keys="Ctrl Enter" busy={isBusy} disabled={text.trim() === ''}>
          {t('alert.comments.submit')}
        </Button>
      </div>
    </form>
  );
}

/** Draws the users that a mention may mean; Tab reaches them. */
function Mentions({ typed, onChoose }: { readonly typed: string; readonly onChoose: (user: string) => void }) {
  const { t } = useTranslation();
  const { data = [] } = useQuery({
    queryKey: ['alerts', 'users', typed],
    queryFn: ({ signal }) => searchUsers(typed, signal),
    placeholderData: keepPreviousData,
  });
  if (data.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div role="group" aria-label={t('alert.comments.mention')} className={styles.meta}>
      {data.slice(0, MAX_USERS).map(({ username, name }) => (
        <Button key={username} kind="quiet" onClick={() => onChoose(username)}>
          {name === username ? `@${username}` : `@${username} (${name})`}
        </Button>
      ))}
    </div>
  );
}

/** Returns what tells others that this person writes, until a silence. */
function useTyping(id: string): (isTyping: boolean) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    return () => {
      if (timer.current !== undefined) live.send({ id, action: 'stop_typing', broadcast: true });
      clearTimeout(timer.current);
    };
  }, [id]);
  return (isTyping) => {
    const wasTyping = timer.current !== undefined;
    clearTimeout(timer.current);
    timer.current = undefined;
    const stop = () => {
      timer.current = undefined;
      live.send({ id, action: 'stop_typing', broadcast: true });
    };
    if (isTyping) {
      if (!wasTyping) live.send({ id, action: 'typing', broadcast: true });
      timer.current = setTimeout(stop, TYPING_MS);
    } else if (wasTyping) stop();
  };
}
