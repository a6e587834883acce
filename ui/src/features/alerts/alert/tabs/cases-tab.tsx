import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { searchRecords } from '../../../../api/alert-searches.ts';
import { Button } from '../../../../design/controls/button.tsx';
import { EscalationMark, StatusMark } from '../../../../design/data/marks/severity-marks.tsx';
import { Count } from '../../../../design/data/values/count.tsx';
import { Time } from '../../../../design/data/values/time.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { EmptyState } from '../../../../design/states/empty-state.tsx';
import { Loading } from '../../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { queryOfValues } from '../../../query/model/record-queries.ts';
import type { Alert } from '../../triage/alert.ts';
import type { Case } from '../../triage/requests/alert-api.ts';
import styles from './tabs.module.css';

const MAX_CASES = 100;

/** Draws the cases that an alert is in; a bundle is the case whose root it is. */
export function CasesTab({ alert, onFile }: { readonly alert: Alert; readonly onFile: () => void }) {
  const { t } = useTranslation();
  const { id, related } = alert.howler;
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['alerts', 'case', 'of', id, related],
    queryFn: ({ signal }) => casesOf(related, signal),
  });
  if (isPending) return <Loading />;
  if (error) return <ProblemPanel problem={error} onRetry={() => void refetch()} />;
  if (data.length === 0) {
    const file = <Button onClick={onFile}>{t('keys.commands.fileIntoCase')}</Button>;
    return <EmptyState title={t('alert.cases.none')} action={file} />;
  }
  return (
    <div className={styles.tab}>
      <ul className={styles.plain}>
        {data.map((one) => (
          <li key={one.case_id}>
            <StatusMark value={one.status} />
            <EscalationMark value={one.escalation} />
            <Link className={styles.grow} to="/cases/$id" params={{ id: one.case_id }}>
              <Value value={one.title} limit={200} inline />
            </Link>
            {isBundleOf(one, id) && <span className={styles.quiet}>{t('alert.cases.bundle')}</span>}
            <span className={styles.quiet}>
              {t('alert.cases.items')} <Count value={one.items?.length ?? 0} />
            </span>
            <Time value={one.updated ?? one.created} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Bundles of the public system are cases with the alert at the root and the others in a folder. */
function isBundleOf({ items = [] }: Case, id: string): boolean {
  const isRoot = items.some(({ type, value, parent }) => type === 'hit' && value === id && parent === undefined);
  return isRoot && items.some(({ type, name }) => type === 'folder' && name === 'hits');
}

async function casesOf(related: readonly string[], signal: AbortSignal): Promise<readonly Case[]> {
  if (related.length === 0) return [];
  const query = queryOfValues('case_id', related.slice(0, MAX_CASES));
  const search = { query, rows: MAX_CASES, sort: 'updated desc' };
  return (await searchRecords<Case>(search, { indexes: 'case', signal })).items;
}
