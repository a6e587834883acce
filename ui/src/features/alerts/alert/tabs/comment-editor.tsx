import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { live } from '../../../../api/live.ts';
import { Button } from '../../../../design/controls/button.tsx';
import { keepTextDraft, readTextDraft } from '../../../../design/forms/form-draft.ts';
import { useTranslation } from '../../../../i18n/translation.ts';
import { useCommands, useKeys } from '../../../../keys/commands.tsx';
import { useDraftName } from '../../../saved/draft-name.ts';
import type { Alert } from '../../triage/alert.ts';
import { perform } from '../../triage/perform.ts';
import { targetOf } from '../../triage/targets.ts';
import type { TriageTools } from '../../triage/triage-tools.ts';
import { typedSince } from './comment-draft.ts';
import { CommentField } from './comment-field.tsx';
import styles from './comments.module.css';

interface Props {
  readonly alert: Alert;
  readonly tools: TriageTools;
  readonly takesFocus: boolean;
}

/** Silence in ms after which a person no longer counts as writing. */
const TYPING_MS = 5000;
/** Time in ms after which others are told again: they forget a person of whom they hear no more. */
const REPEAT_MS = 15_000;

/** Draws the field for a comment. A draft survives a reload; people who share a browser have their own. */
export function CommentEditor({ alert, tools, takesFocus }: Props) {
  const { t } = useTranslation();
  const { id } = alert.howler;
  const draft = useDraftName('comment', id);
  const [text, setText] = useState(() => readTextDraft(draft));
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  // What is typed while a comment is sent, also where the editor is gone by then.
  const latest = useRef(text);
  const tellTyping = useTyping(id);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);

  const change = (next: string) => {
    latest.current = next;
    setText(next);
    keepTextDraft(draft, next);
    tellTyping(next !== '');
  };
  const submit = async () => {
    if (text.trim() === '' || isBusy) return;
    setBusy(true);
    // A refused comment stays in the field.
    const comment = { kind: 'comment', text: text.trim() } as const;
    const isSent = await perform(comment, [targetOf(alert)], tools, { keepsText: true });
    if (isSent) change(typedSince(text, latest.current));
    setBusy(false);
  };
  useCommands([{ id: 'submit', name: t('alert.comments.submit'), run: () => void submit(), isEnabled: text !== '' }]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
    else if (event.key === 'Escape') {
      event.stopPropagation();
      field.current?.blur();
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
      <CommentField
        field={field}
        label={t('alert.comments.text')}
        hint={t('alert.comments.hint')}
        value={text}
        onChange={change}
        onKeyDown={onKeyDown}
      />
      <div className={styles.meta}>
        <Button type="submit" kind="primary" keys={useKeys('submit')} busy={isBusy} disabled={text.trim() === ''}>
          {t('alert.comments.submit')}
        </Button>
      </div>
    </form>
  );
}

/** Returns what tells others that this person writes, until a silence. */
function useTyping(id: string): (isTyping: boolean) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const toldAt = useRef(0);
  useEffect(() => {
    return () => {
      if (timer.current !== undefined) live.send({ id, action: 'stop_typing', broadcast: true });
      clearTimeout(timer.current);
      timer.current = undefined;
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
      if (!wasTyping || Date.now() - toldAt.current > REPEAT_MS) {
        toldAt.current = Date.now();
        live.send({ id, action: 'typing', broadcast: true });
      }
      timer.current = setTimeout(stop, TYPING_MS);
    } else if (wasTyping) stop();
  };
}
