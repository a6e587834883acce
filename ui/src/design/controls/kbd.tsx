import type { ReactElement } from 'react';
import styles from './kbd.module.css';

/** Draws keys, separated by spaces: `Ctrl K`, `g h`. */
export function Kbd({ keys }: { readonly keys: string }): ReactElement {
  return (
    <span className={styles.keys}>
      {keys.split(' ').map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sequence may hold a key twice, and never changes order.
        <kbd key={index} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
