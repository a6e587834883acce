import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { ErrorBoundary } from '../../design/states/error-boundary.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import type { AlertListParameters } from '../alerts/list/search/alert-search.ts';
import styles from './home.module.css';

interface Props<Data> {
  readonly title: string;
  /** The address of the list of alerts that the card summarizes. */
  readonly list?: AlertListParameters;
  /** The query of the list of cases, where it summarizes that one. */
  readonly cases?: string;
  readonly result: { readonly data?: Data | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly children: (data: Data) => ReactNode;
}

/** Draws a part of the home page with the link to its list; a failure stays inside of it. */
export function Card<Data>({ title, list, cases, result, children }: Props<Data>) {
  const { t } = useTranslation();
  const id = useId();
  const { data, error, refetch } = result;
  return (
    <section className={styles.card} aria-labelledby={id}>
      <header className={styles.cardHeader}>
        <h2 id={id}>{title}</h2>
        {cases === undefined ? (
          <Link to="/alerts" search={list ?? {}} aria-label={t('home.openOf', { title })}>
            {t('home.open')}
          </Link>
        ) : (
          <Link to="/cases" search={{ q: cases }} aria-label={t('home.openOf', { title })}>
            {t('home.open')}
          </Link>
        )}
      </header>
      {error === null || error === undefined ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      <ErrorBoundary>{data === undefined ? error === null && <Loading /> : children(data)}</ErrorBoundary>
    </section>
  );
}
