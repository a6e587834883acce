import type { Analytic } from '../alerts/triage/use-analytic.ts';
import styles from '../saved/saved.module.css';
import { AlertsCreated } from './alerts-created.tsx';
import { AnalyticCounts } from './analytic-counts.tsx';
import { AnalyticOwner } from './analytic-owner.tsx';
import { Description } from './description.tsx';

/** Draws what an analytic finds beside who looks after it, and what became of its alerts. */
export function AboutAnalytic({ analytic }: { readonly analytic: Analytic }) {
  return (
    <div className={styles.editor}>
      <Description analytic={analytic} />
      <div className={styles.part}>
        <AnalyticOwner analytic={analytic} />
        <AlertsCreated analytic={analytic} />
        <AnalyticCounts analytic={analytic} />
      </div>
    </div>
  );
}
