import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { countRecords } from '../../../../api/alert-searches.ts';
import { Button } from '../../../../design/controls/button.tsx';
import { Count } from '../../../../design/data/values/count.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { EmptyState } from '../../../../design/states/empty-state.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { Alert } from '../../triage/alert.ts';
import { dossierLeads } from '../dossier-leads.ts';
import { indicatorQueries, pivotQueries, type RelatedQuery } from '../related/related-queries.ts';
import { useValueActions } from '../values/value-actions.tsx';
import { LeadSections } from './lead-sections.tsx';
import styles from './tabs.module.css';

/** Draws how many other alerts share something with this one, and what dossiers say about it. */
export function RelatedTab({ alert }: { readonly alert: Alert }) {
  const { t } = useTranslation();
  const pivots = useMemo(() => pivotQueries(alert), [alert]);
  const indicators = useMemo(() => indicatorQueries(alert), [alert]);
  const leads = useMemo(() => dossierLeads(alert), [alert]);
  if (pivots.length + indicators.length + leads.length === 0) return <EmptyState title={t('alert.related.none')} />;
  return (
    <div className={styles.tab}>
      {pivots.length > 0 && <Section title={t('alert.related.pivots')} queries={pivots} />}
      {indicators.length > 0 && <Section title={t('alert.related.indicators')} queries={indicators} />}
      <LeadSections alert={alert} leads={leads} />
    </div>
  );
}

function Section({ title, queries }: { readonly title: string; readonly queries: readonly RelatedQuery[] }) {
  const { t, i18n } = useTranslation();
  const { onSearch } = useValueActions();
  const counts = useCounts(queries.map(({ query }) => query));
  return (
    <section>
      <h3 className={styles.head}>{title}</h3>
      <ul className={styles.plain}>
        {queries.map(({ label, query }, index) => {
          const count = counts[index];
          const name = typeof label === 'string' ? label : i18n.language === 'fr' ? label.fr : label.en;
          return (
            <li key={query} data-field="" data-value={typeof label === 'string' ? label : undefined}>
              <span className={styles.grow}>
                <Value value={name} limit={200} />
              </span>
              <span role="status">
                {typeof count === 'number' ? (
                  <Count value={count} />
                ) : (
                  t(count === null ? 'alert.related.refused' : 'common.loading')
                )}
              </span>
              {onSearch && (
                <Button disabled={count === 0} onClick={() => onSearch(query)}>
                  {t('alert.related.show')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Counts the alerts of several queries; undefined while one is counted, null where it was refused. */
function useCounts(queries: readonly string[]): readonly (number | null | undefined)[] {
  const results = useQueries({
    queries: queries.map((query) => ({
      queryKey: ['alerts', 'hit', 'count', query],
      queryFn: ({ signal }: { signal: AbortSignal }) => countRecords({ query, timeout: 30_000 }, { signal }),
      staleTime: 60_000,
    })),
  });
  return results.map(({ data, error }) => (error === null ? data : null));
}
