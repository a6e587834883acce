import { useState, useSyncExternalStore } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { Dialog } from '../../../../design/overlays/dialog.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { problemSentence } from '../changes/words.ts';
import { bulkSlot, type ShownBulk } from '../slots.ts';
import type { TriageTools } from '../triage-tools.ts';
import styles from './bulk-progress.module.css';
import type { BulkFailure } from './run-state.ts';

/** Failures that the report shows before "show all". */
const MAX_SHOWN = 100;

/** Draws the progress of a bulk, and its report when something of it failed. */
export function BulkProgress({ tools }: { readonly tools: TriageTools }) {
  const bulk = useSyncExternalStore(bulkSlot.subscribe, bulkSlot.read);
  return bulk === undefined ? null : <Progress bulk={bulk} tools={tools} />;
}

function Progress({ bulk, tools }: { readonly bulk: ShownBulk; readonly tools: TriageTools }) {
  const { t } = useTranslation();
  const { run } = bulk;
  const { phase, total, processed, failures, skipped, cancelled } = useSyncExternalStore(run.subscribe, run.state);
  const [isReportOpen, setReportOpen] = useState(false);
  const done = processed - failures.length - skipped.length;
  const left = [...failures, ...skipped];
  if (phase !== 'done') {
    return (
      <section className={styles.panel} aria-label={t('alert.bulk.progress')}>
        <p className={styles.title}>{bulk.title}</p>
        <progress className={styles.bar} max={total} value={processed} aria-label={t('alert.bulk.progress')} />
        <p role="status" className={styles.counts}>
          {phase === 'cancelling' ? t('alert.bulk.cancelling') : t('alert.bulk.counts', { processed, total })}
        </p>
        <Button onClick={() => run.cancel()} disabled={phase === 'cancelling'}>
          {t('common.cancel')}
        </Button>
      </section>
    );
  }
  return (
    <>
      <section className={styles.panel} aria-label={t('alert.bulk.result')}>
        <p role="status" className={styles.title}>
          {t('alert.bulk.done', { done, total })}{' '}
          {failures.length > 0 && t('alert.bulk.failed', { count: failures.length })}{' '}
          {skipped.length > 0 && t('alert.bulk.skipped', { count: skipped.length })}{' '}
          {cancelled > 0 && t('alert.bulk.cancelled', { count: cancelled })}
        </p>
        {left.length > 0 && <Button onClick={() => setReportOpen(true)}>{t('alert.bulk.report')}</Button>}
        <Button onClick={() => bulkSlot.show(undefined)}>{t('common.close')}</Button>
      </section>
      {isReportOpen && <Report failures={left} tools={tools} onClose={() => setReportOpen(false)} />}
    </>
  );
}

interface ReportProps {
  readonly failures: readonly BulkFailure[];
  readonly tools: TriageTools;
  readonly onClose: () => void;
}

/** Draws what failed and why, the same reasons together. */
function Report({ failures, tools, onClose }: ReportProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? failures : failures.slice(0, MAX_SHOWN);
  const byReason = Map.groupBy(shown, ({ problem }) => problemSentence(problem));
  return (
    <Dialog open onClose={onClose} title={t('alert.bulk.reportTitle', { count: failures.length })}>
      {[...byReason].map(([reason, failed]) => (
        <section key={reason}>
          <h3 className={styles.reason}>
            {reason} ({failed.length})
          </h3>
          <ul className={styles.ids}>
            {failed.map(({ id }) => (
              <li key={id}>
                <Value value={tools.copies.read(id)?.alert.howler.outline?.summary ?? id} limit={120} />{' '}
                <a href={`/alerts/${id}`}>{t('alert.bulk.open')}</a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {shown.length < failures.length && <Button onClick={() => setWhole(true)}>{t('common.showAll')}</Button>}
    </Dialog>
  );
}
