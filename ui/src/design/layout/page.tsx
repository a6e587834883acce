import { type ReactElement, type ReactNode, useId } from 'react';
import styles from './page.module.css';

export interface PageProps {
  readonly title: string;
  /** One line below the title. */
  readonly description?: ReactNode;
  /** Buttons at the end of the title line. */
  readonly actions?: ReactNode;
  /** `scroll` for text and forms; `fill` gives the children the height of the window, for lists. */
  readonly fit?: 'scroll' | 'fill' | undefined;
  readonly children: ReactNode;
}

/** Draws a page: its title (h1), its actions, its content. */
export function Page({ title, description, actions, fit = 'scroll', children }: PageProps): ReactElement {
  return (
    <div className={`${styles.page} ${styles[fit]}`}>
      <header className={styles.header}>
        <div className={styles.titles}>
          <h1>{title}</h1>
          {description !== undefined && <div className={styles.description}>{description}</div>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      <div className={styles.content}>{children}</div>
    </div>
  );
}

export interface PaneProps {
  readonly title: string;
  /** Keeps the title for screen readers alone. */
  readonly titleHidden?: boolean | undefined;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** True where the content scrolls by itself or reaches the edges, as a list does. */
  readonly flush?: boolean | undefined;
}

/** Draws a part of a page with a title (h2) and its own scroll bar; it is a landmark. */
export function Pane({ title, titleHidden, actions, children, flush }: PaneProps): ReactElement {
  const id = useId();
  return (
    <section className={styles.pane} aria-labelledby={id}>
      <header className={titleHidden && actions === undefined ? styles.hidden : styles.paneHeader}>
        <h2 id={id} className={titleHidden ? styles.hidden : styles.paneTitle}>
          {title}
        </h2>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}

export interface ToolbarProps {
  /** The name of the toolbar. */
  readonly label: string;
  readonly children: ReactNode;
}

/** Draws controls in a line that wraps. */
export function Toolbar({ label, children }: ToolbarProps): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" aria-label={label} className={styles.toolbar}>
      {children}
    </div>
  );
}

/** Pushes what follows in a Toolbar to its end. */
export function ToolbarSpace(): ReactElement {
  return <span className={styles.space} />;
}
