import type { ReactElement, ReactNode } from 'react';
import { ErrorBoundary } from '../design/states/error-boundary.tsx';
import styles from './gallery.module.css';
import { SECTIONS } from './sections.ts';

/** Draws every component in every state, for eyes and for tests. */
export function Gallery({ section }: { readonly section: string | undefined }): ReactElement {
  const shown = SECTIONS.filter(({ id }) => section === undefined || id === section);
  return (
    <main className={styles.gallery}>
      <h1>Components</h1>
      {shown.map(({ id, title, Samples }) => (
        <section key={id} id={id} aria-labelledby={`${id}-title`} className={styles.section}>
          <h2 id={`${id}-title`}>{title}</h2>
          <ErrorBoundary>
            <Samples />
          </ErrorBoundary>
        </section>
      ))}
    </main>
  );
}

export interface SampleProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Draws samples that belong together below a small title. */
export function Sample({ title, children }: SampleProps): ReactElement {
  return (
    <div className={styles.sample}>
      <h3 className={styles.head}>{title}</h3>
      <div className={styles.row}>{children}</div>
    </div>
  );
}

/** Draws fields in columns. */
export function Columns({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className={styles.columns}>{children}</div>;
}

/** Draws a frame of a fixed height, for what fills its place. */
export function Frame({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className={styles.frame}>{children}</div>;
}

/** Draws what takes the whole width, one below the other. */
export function Stack({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className={styles.stack}>{children}</div>;
}
