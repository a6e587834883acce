import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ShowMore } from '../../../design/data/records/show-more.tsx';
import { TextField } from '../../../design/forms/text-field.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { ValueActionsProvider } from '../../alerts/alert/values/value-actions.tsx';
import { ValueWithMenu } from '../../alerts/alert/values/value-with-menu.tsx';
import styles from './case.module.css';
import type { CaseTabProps } from './case-page.tsx';

const KINDS = ['threats', 'targets', 'indicators'] as const;

/**
 * Shows what the records of a case name: who attacks, what is attacked, and indicators.
 * The menu of each looks it up, or searches for alerts that hold it.
 */
export function ObservablesTab({ present }: CaseTabProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const words = search.trim().toLowerCase();
  const groups = KINDS.map((kind) => ({
    kind,
    values: (present[kind] ?? []).filter((value) => value.toLowerCase().includes(words)),
  })).filter(({ values }) => values.length > 0);
  return (
    <div className={styles.tab}>
      <div className={styles.form}>
        <TextField label={t('cases.observables.search')} value={search} onChange={setSearch} data />
      </div>
      {groups.length === 0 ? (
        <EmptyState title={t('cases.observables.none')}>{t('cases.observables.noneText')}</EmptyState>
      ) : null}
      <ValueActionsProvider
        record={present.case_id}
        callbacks={{ onSearch: (q) => void navigate({ to: '/alerts', search: { q } }) }}
      >
        {groups.map(({ kind, values }) => (
          <section key={kind} className={styles.section}>
            <h2 className={styles.head}>
              {t(`cases.members.${kind}`)} ({values.length})
            </h2>
            <ShowMore key={words} count={values.length}>
              {(limit) => (
                <ul className={styles.values}>
                  {values.slice(0, limit).map((value) => (
                    <li key={value}>
                      <ValueWithMenu of={{ field: '', value }} />
                    </li>
                  ))}
                </ul>
              )}
            </ShowMore>
          </section>
        ))}
      </ValueActionsProvider>
    </div>
  );
}
