import { type ReactElement, type ReactNode, use, useEffect, useId } from 'react';
import { createPortal } from 'react-dom';
import hidden from '../controls/visually-hidden.module.css';
import styles from './page.module.css';
import { PageFrameContext } from './page-frame.ts';

export interface PageProps {
  readonly title: string;
  /** One line below the title. */
  readonly description?: ReactNode;
  /** Buttons at the end of the title line. */
  readonly actions?: ReactNode;
  /** Classification of the object that the page is about, for the banner. */
  readonly classification?: string | undefined;
  /** `scroll` for text and forms; `fill` gives the children the height of the window, for lists. */
  readonly fit?: 'scroll' | 'fill' | undefined;
  readonly children: ReactNode;
}

/**
 * Draws a page: its title (h1) and actions in the title line of the frame, and its content. The window
 * gets the same title.
 */
export function Page(props: PageProps): ReactElement {
  const { title, description, actions, classification, fit = 'scroll', children } = props;
  const frame = use(PageFrameContext);
  const setClassification = frame?.setClassification;
  useEffect(() => {
    document.title = `${title} · Triad`;
  }, [title]);
  useEffect(() => {
    setClassification?.(classification);
    return () => setClassification?.(undefined);
  }, [classification, setClassification]);
  const header = (
    <div className={styles.header}>
      <div className={styles.titles}>
        <h1>{title}</h1>
        {description !== undefined && <div className={styles.description}>{description}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
  return (
    <div className={`${styles.page} ${styles[fit]}`}>
      {frame === undefined ? header : frame.titleSlot && createPortal(header, frame.titleSlot)}
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
      <header className={titleHidden && actions === undefined ? hidden.hidden : styles.paneHeader}>
        <h2 id={id} className={titleHidden ? hidden.hidden : styles.paneTitle}>
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
