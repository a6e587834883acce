import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { ErrorBoundary } from '../../design/states/error-boundary.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './home.module.css';

interface Props<Data> {
  readonly title: string;
  /** The query of the list that the card summarizes. */
  readonly query: string;
  /** The list. Default: that of alerts. */
  readonly list?: 'alerts' | 'cases';
  readonly sort?: string | undefined;
  readonly result: { readonly data?: Data | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly children: (data: Data) => ReactNode;
}

/** Draws a part of the home page with the link to its list; a failure stays inside of it. */
export function Card<Data>({ title, query, list = 'alerts', sort, result, children }: Props<Data>) {
  const { t } = useTranslation();
  const id = useId();
  const { data, error, refetch } = result;
  return (
    <section className={styles.card} aria-labelledby={id}>
      <header className={styles.cardHeader}>
        <h2 id={id}>{title}</h2>
        {list === 'alerts' ? (
          <Link to="/alerts" search={{ q: query, sort }} aria-label={t('home.openOf', { title })}>
            {t('home.open')}
          </Link>
        ) : (
          <Link to="/cases" search={{ q: query }} aria-label={t('home.openOf', { title })}>
            {t('home.open')}
          </Link>
        )}
      </header>
      {error === null || error === undefined ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      <ErrorBoundary>{data === undefined ? error === null && <Loading /> : children(data)}</ErrorBoundary>
    </section>
  );
}
