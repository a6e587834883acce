import { connection } from '../api/connection.ts';
import { ProblemPanel } from '../design/states/problem-panel.tsx';
import { useTranslation } from '../i18n/translation.ts';
import { useStore } from '../state/use-store.ts';
import { ConnectionLine } from './connection-line.tsx';
import styles from './sign-in/sign-in.module.css';

export interface StartPageProps {
  /** The failure that kept the program from starting; undefined: it is being loaded. */
  readonly problem?: { readonly error: unknown; readonly onRetry: () => void } | undefined;
}

/** Stands in place of the first page until it is loaded; nothing is seen of it while all is well. */
export function StartPage({ problem }: StartPageProps) {
  const { t } = useTranslation();
  const state = useStore(connection.state);
  if (problem === undefined && state.kind === 'online') return null;
  return (
    <>
      <ConnectionLine />
      <main className={styles.page}>
        <div className={styles.panel}>
          <h1 className={styles.title}>Triad</h1>
          {problem !== undefined && (
            <ProblemPanel title={t('connection.notStarted')} problem={problem.error} onRetry={problem.onRetry} />
          )}
        </div>
      </main>
    </>
  );
}
