import { DifferenceView } from '../../../design/data/records/difference-view.tsx';
import { ShowMore } from '../../../design/data/records/show-more.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { UserName } from '../../../design/data/values/user-name.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import type { CaseLog } from '../case-api.ts';
import styles from './case.module.css';
import type { CaseTabProps } from './case-page.tsx';

/** The string that the log has for an absent value. */
const NONE = 'None';

/** Shows who changed what, the newest first. */
export function LogTab({ present: { log = [] } }: CaseTabProps) {
  const { t } = useTranslation();
  const entries = log.toReversed();
  if (entries.length === 0) return <EmptyState title={t('cases.log.none')} />;
  return (
    <div className={styles.tab}>
      <ShowMore count={entries.length}>
        {(limit) => (
          <ol className={styles.entries}>
            {entries.slice(0, limit).map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name and are never reordered.
              <li key={entries.length - index}>
                <Time value={entry.timestamp} form="both" /> <UserName user={entry.user} />
                <div>
                  <Change entry={entry} />
                </div>
              </li>
            ))}
          </ol>
        )}
      </ShowMore>
    </div>
  );
}

function Change({
  entry: { key, previous_value: before, new_value: after, explanation },
}: {
  readonly entry: CaseLog;
}) {
  // The explanation repeats both values in whole.
  const hasValues = before !== undefined || after !== undefined;
  if (!hasValues) return <Value value={explanation} lines limit={600} />;
  return (
    <>
      <span className={styles.quiet}>
        <Value value={key ?? ''} inline />
      </span>{' '}
      <DifferenceView before={loggedValue(before)} after={loggedValue(after)} />
    </>
  );
}

function loggedValue(logged: string | undefined): string {
  return logged === undefined || logged === NONE ? '' : logged;
}
