import { Eye, Pencil } from 'lucide-react';
import { ClassificationMark } from '../../../design/data/marks/classification-marks.tsx';
import { severityOf } from '../../../design/data/marks/severity.ts';
import {
  AssessmentMark,
  EscalationMark,
  SeverityMark,
  StatusMark,
} from '../../../design/data/marks/severity-marks.tsx';
import { Tags } from '../../../design/data/values/tags.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { UserName } from '../../../design/data/values/user-name.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useShownPresence } from '../../../shell/presence.ts';
import type { Alert } from '../triage/alert.ts';
import styles from './alert-header.module.css';
import { AlertSteps, type AlertStepsProps } from './alert-steps.tsx';
import { usePresence } from './use-presence.ts';

interface Props extends AlertStepsProps {
  readonly alert: Alert;
  /** True: the page has the title already. */
  readonly isTitled: boolean;
}

/** Draws what an alert is, how bad, and who has it. */
export function AlertHeader({ alert, isTitled, ...steps }: Props) {
  const { t } = useTranslation();
  const { howler, event } = alert;
  const { outline } = howler;
  const labels = Object.values(howler.labels ?? {}).flat();
  const text = outline?.summary ?? alert.message;
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        <SeverityMark value={severityOf(alert)} />
        {isTitled ? <span className={styles.title} /> : <Title alert={alert} />}
        <AlertSteps {...steps} />
      </div>
      {text !== '' && (
        <p className={styles.summary}>
          <Value value={text} limit={400} />
        </p>
      )}
      <div className={styles.marks}>
        <StatusMark value={howler.status} />
        {howler.assessment === undefined ? null : <AssessmentMark value={howler.assessment} />}
        <EscalationMark value={howler.escalation} />
        <UserName user={howler.assignment} />
        <span className={styles.time}>
          <Time value={event?.created ?? alert.timestamp} form="both" />
        </span>
        <ClassificationMark value={alert.classification} />
        <Tags key={howler.id} values={labels} max={6} />
      </div>
      {howler.rationale && (
        <p className={styles.rationale}>
          {t('alert.rationale')} <Value value={howler.rationale} limit={300} />
        </p>
      )}
      <PresenceLine id={howler.id} />
    </header>
  );
}

function Title({ alert: { howler } }: { readonly alert: Alert }) {
  return (
    <h2 className={styles.title}>
      <Value value={howler.analytic} limit={120} inline />
      {howler.detection !== undefined && (
        <>
          <span className={styles.dot}> · </span>
          <Value value={howler.detection} limit={120} inline />
        </>
      )}
    </h2>
  );
}

/** Draws who else is at the alert; it alone is drawn again when they come and go. */
function PresenceLine({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const presence = usePresence(id);
  const { viewers, typing } = presence;
  useShownPresence(presence);
  return (
    <div role="status" className={styles.presence}>
      {viewers.length > 0 && (
        <span>
          <Eye size={16} aria-hidden /> {t('alert.presence.viewing', { users: viewers.join(', ') })}
        </span>
      )}
      {typing.length > 0 && (
        <span>
          <Pencil size={16} aria-hidden /> {t('alert.presence.typing', { users: typing.join(', ') })}
        </span>
      )}
    </div>
  );
}
