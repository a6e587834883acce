import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { TextArea, type TextAreaProps } from '../../../../design/forms/text-area.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { searchUsers } from '../../../users/search-users.ts';
import { MAX_COMMENT, mentionAt, type TypedMention, withMention } from './comment-draft.ts';
import styles from './comments.module.css';

interface Props extends Omit<TextAreaProps, 'ref' | 'maxLength'> {
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

const MAX_USERS = 5;

/**
 * Draws the field for a comment. `@` offers users: arrows choose one, Enter and Tab take it, Escape
 * closes the list.
 */
export function CommentField({ field, value, onChange, onKeyDown, ...props }: Props) {
  const { t } = useTranslation();
  const list = useId();
  const [mention, setMention] = useState<TypedMention | undefined>(undefined);
  const [active, setActive] = useState(0);
  const users = useUsers(mention?.typed);
  const isOpen = mention !== undefined && users.length > 0;
  const optionId = (index: number) => `${list}-${index}`;

  const change = (next: string) => {
    onChange(next);
    setActive(0);
    setMention(mentionAt(next, field.current?.selectionStart ?? next.length));
  };
  const take = (user: string | undefined) => {
    if (mention === undefined || user === undefined) return;
    const next = withMention(value, mention, user);
    change(next.text);
    setMention(undefined);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(next.cursor, next.cursor);
    });
  };
  const onListKey = ({ key }: KeyboardEvent): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) setActive((active + step + users.length) % users.length);
    else if (key === 'Enter' || key === 'Tab') take(users[active]?.username);
    else if (key === 'Escape') setMention(undefined);
    else return false;
    return true;
  };
  return (
    <>
      <TextArea
        {...props}
        ref={field}
        value={value}
        onChange={change}
        maxLength={MAX_COMMENT}
        aria-autocomplete="list"
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen ? optionId(active) : undefined}
        onBlur={() => setMention(undefined)}
        onKeyDown={(event) => {
          const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
          if (isOpen && isPlain && onListKey(event)) {
            event.preventDefault();
            event.stopPropagation();
          } else onKeyDown?.(event);
        }}
      />
      {isOpen && (
        <div id={list} role="listbox" aria-label={t('alert.comments.mention')} className={styles.mentions}>
          {users.map(({ username, name }, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
            <div
              key={username}
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              className={styles.mention}
              // A press that moved the focus would close the list first.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(username)}
            >
              {name === username ? `@${username}` : `@${username} (${name})`}
            </div>
          ))}
        </div>
      )}
    </>
  );
}

/** Returns the users that a mention may mean; undefined: none is typed. */
function useUsers(typed: string | undefined) {
  const { data = [], isPlaceholderData } = useQuery({
    queryKey: ['alerts', 'users', typed],
    queryFn: ({ signal }) => searchUsers(typed ?? '', signal),
    placeholderData: keepPreviousData,
    enabled: typed !== undefined,
  });
  // Users of an earlier search stay in sight while they still match: Enter takes no other than those.
  const words = (typed ?? '').toLowerCase();
  const users = isPlaceholderData
    ? data.filter(({ username, name }) => `${username} ${name}`.toLowerCase().includes(words))
    : data;
  return users.slice(0, MAX_USERS);
}
