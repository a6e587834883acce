import { useWords } from '../words.ts';
import { Avatar } from './avatar.tsx';
import { Value } from './value.tsx';
import styles from './values.module.css';

export interface UserNameProps {
  /** The user name; empty or `unassigned` is shown as a word. */
  readonly user: string | null | undefined;
  /** The name in full where it is known. */
  readonly name?: string | undefined;
  readonly picture?: string | null | undefined;
  readonly withAvatar?: boolean;
}

/** Shows who did or does something. */
export function UserName({ user, name, picture, withAvatar = true }: UserNameProps) {
  const { t } = useWords();
  if (!user || user === 'unassigned') return <span className={styles.unassigned}>{t('data.user.unassigned')}</span>;
  return (
    <span className={styles.user} title={name === undefined ? user : `${name} (${user})`}>
      {withAvatar && <Avatar name={name ?? user} picture={picture} />}
      <span className={styles.userName}>
        <Value value={name ?? user} limit={80} inline />
      </span>
    </span>
  );
}
