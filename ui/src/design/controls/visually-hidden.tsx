import type { ReactElement, ReactNode } from 'react';
import styles from './visually-hidden.module.css';

/** Keeps words for screen readers that the eye has from the picture. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }): ReactElement {
  return <span className={styles.hidden}>{children}</span>;
}
