import { useState } from 'react';
import { avatarSource, initials } from './avatar-source.ts';
import styles from './values.module.css';

export interface AvatarProps {
  readonly name: string;
  /** An address or a `data:` address, from the services. Pictures of other hosts are not loaded. */
  readonly picture?: string | null | undefined;
  readonly size?: 'small' | 'large';
}

/**
 * Shows the picture of a user, or initials. Its name stands beside it: this is decoration to a screen
 * reader.
 */
export function Avatar({ name, picture, size = 'small' }: AvatarProps) {
  const [broken, setBroken] = useState<string>();
  const source = avatarSource(picture, window.location.origin);
  if (source !== undefined && source !== broken) {
    return <img className={styles.avatar} data-size={size} src={source} alt="" onError={() => setBroken(source)} />;
  }
  return (
    <span className={styles.avatar} data-size={size} aria-hidden>
      {initials(name)}
    </span>
  );
}
