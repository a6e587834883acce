import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import styles from './empty.module.css';

export interface EmptyStateProps {
  readonly icon?: LucideIcon | undefined;
  /** Says that nothing is there, and why, for example "No alert matches this query". */
  readonly title: string;
  /** The next step in words. */
  readonly children?: ReactNode;
  /** The button or link that fills the place. */
  readonly action?: ReactNode;
}

/** Draws the place of a list that holds nothing, with the action that fills it. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps): ReactElement {
  return (
    <div className={styles.empty}>
      {Icon && <Icon size={16} aria-hidden />}
      <p className={styles.title}>{title}</p>
      {children !== undefined && <div className={styles.words}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
