import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { Dialog } from '../../../../design/overlays/dialog.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { useStore } from '../../../../state/use-store.ts';
import { queryOfIds } from '../../../query/model/record-queries.ts';
import { type Change, dialogOf } from '../changes/changes.ts';
import { problemSentence } from '../changes/words.ts';
import { perform } from '../perform.ts';
import { bulkSlot, type ShownBulk, showRetry } from '../slots.ts';
import type { TriageTools } from '../triage-tools.ts';
import styles from './bulk-progress.module.css';
import type { BulkFailure, BulkState } from './run-state.ts';

/** Failures that the report shows before "show all". */
const MAX_SHOWN = 100;

/** Draws the progress of bulks, and their reports where something failed. */
export function BulkProgress({ tools }: { readonly tools: TriageTools }) {
  const bulks = useStore(bulkSlot);
  const { t } = useTranslation();
  if (bulks.length === 0) return null;
  return (
    <section className={styles.panels} aria-label={t('alert.bulk.label')}>
      {bulks.map((bulk) => (
        <Bulk key={bulk.run.id} bulk={bulk} tools={tools} />
      ))}
    </section>
  );
}

interface Props {
  readonly bulk: ShownBulk;
  readonly tools: TriageTools;
}

function Bulk({ bulk, tools }: Props) {
  const state = useStore(bulk.run.state);
  return state.phase === 'done' ? (
    <Result bulk={bulk} state={state} tools={tools} />
  ) : (
    <Progress bulk={bulk} state={state} />
  );
}

function Progress({ bulk, state }: { readonly bulk: ShownBulk; readonly state: BulkState }) {
  const { t } = useTranslation();
  const { phase, total, collected, processed } = state;
  const title = useId();
  const words = {
    collecting: t('alert.bulk.collecting', { collected, total }),
    running: t('alert.bulk.counts', { processed, total }),
    cancelling: t('alert.bulk.cancelling'),
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" className={styles.panel} aria-labelledby={title}>
      <p id={title} className={styles.title}>
        {bulk.title}
      </p>
      <progress
        className={styles.bar}
        max={Math.max(1, total, collected)}
        value={phase === 'collecting' ? collected : processed}
        aria-label={t('alert.bulk.progress')}
      />
      <p role="status" className={styles.counts}>
        {phase === 'done' ? '' : words[phase]}
      </p>
      <Button onClick={() => bulk.run.cancel()} disabled={phase === 'cancelling'}>
        {t('common.cancel')}
      </Button>
    </div>
  );
}

function Result({ bulk, state, tools }: Props & { readonly state: BulkState }) {
  const { t } = useTranslation();
  const { total, processed, failures, skipped, cancelled } = state;
  const [isReportOpen, setReportOpen] = useState(false);
  const { change } = bulk;
  const left = [...failures, ...skipped];
  const tryAgain = (of: Change) => {
    bulkSlot.remove(bulk);
    const selection = { query: queryOfIds(failures.map(({ id }) => id)), filters: [], total: failures.length };
    if (dialogOf(of) === undefined) void perform(of, selection, tools);
    else showRetry(of, selection);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
      <div role="group" className={styles.panel} aria-label={t('alert.bulk.result')}>
        <p role="status" className={styles.title}>
          {t('alert.bulk.done', { done: processed - left.length, total })}{' '}
          {failures.length > 0 && t('alert.bulk.failed', { count: failures.length })}{' '}
          {skipped.length > 0 && t('alert.bulk.skipped', { count: skipped.length })}{' '}
          {cancelled > 0 && t('alert.bulk.cancelled', { count: cancelled })}
        </p>
        {left.length > 0 && <Button onClick={() => setReportOpen(true)}>{t('alert.bulk.report')}</Button>}
        {failures.length > 0 && change !== undefined && (
          <Button onClick={() => tryAgain(change)}>{t('alert.retry.failed', { count: failures.length })}</Button>
        )}
        <Button onClick={() => bulkSlot.remove(bulk)}>{t('common.close')}</Button>
      </div>
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
                <Link to="/alerts/$id" params={{ id }}>
                  {t('alert.bulk.open')}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {shown.length < failures.length && <Button onClick={() => setWhole(true)}>{t('common.showAll')}</Button>}
    </Dialog>
  );
}
