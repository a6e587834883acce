import { useState } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { DifferenceView } from '../../../../design/data/records/difference-view.tsx';
import { Time } from '../../../../design/data/values/time.tsx';
import { UserName } from '../../../../design/data/values/user-name.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { EmptyState } from '../../../../design/states/empty-state.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { Alert, LogEntry } from '../../triage/alert.ts';
import styles from './tabs.module.css';

const STEP = 100;
/** The text of the log for an absent value. */
const NONE = 'None';

/** Draws what changed, the newest first. */
export function HistoryTab({ alert }: { readonly alert: Alert }) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(STEP);
  const entries = alert.howler.log.toReversed();
  if (entries.length === 0) return <EmptyState title={t('alert.history.none')} />;
  return (
    <div className={styles.tab}>
      <ol className={styles.plain}>
        {entries.slice(0, limit).map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name and are never reordered.
          <li key={entries.length - index}>
            <UserName user={entry.user} /> <Time value={entry.timestamp} form="both" />
            <span className={styles.grow}>
              <Change entry={entry} />
            </span>
          </li>
        ))}
      </ol>
      {entries.length > limit && (
        <Button onClick={() => setLimit(limit + 10 * STEP)}>{`${t('common.more')} (${entries.length - limit})`}</Button>
      )}
    </div>
  );
}

function Change({ entry }: { readonly entry: LogEntry }) {
  const { key, previous_value: before, new_value: after, explanation } = entry;
  if (explanation !== undefined && explanation !== '') return <Value value={explanation} lines limit={600} />;
  return (
    <>
      <span className={styles.quiet}>
        <Value value={key ?? ''} inline />
      </span>{' '}
      <DifferenceView before={before === NONE ? '' : before} after={after === NONE ? '' : after} />
    </>
  );
}
