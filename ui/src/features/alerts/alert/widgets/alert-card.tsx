import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiProblem } from '../../../../api/problem.ts';
import { severityOf } from '../../../../design/data/marks/severity.ts';
import { EscalationMark, SeverityMark, StatusMark } from '../../../../design/data/marks/severity-marks.tsx';
import { Time } from '../../../../design/data/values/time.tsx';
import { UserName } from '../../../../design/data/values/user-name.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { Loading } from '../../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { alertQuery } from '../alert-query.ts';
import styles from './widgets.module.css';

/** Draws what another alert is, with the way to it. Its overview is left out: it may lead back here. */
export function AlertCard({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(alertQuery(id));
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <div className={styles.box}>
        {t('alert.gone.title')} <Value value={id} copy />
      </div>
    );
  }
  if (error !== null) return <ProblemPanel problem={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const { alert } = data;
  const { howler } = alert;
  const text = howler.outline?.summary ?? alert.message;
  return (
    <div className={styles.box}>
      <div className={styles.line}>
        <SeverityMark value={severityOf(alert)} />
        <Link to="/alerts/$id" params={{ id }}>
          <Value value={[howler.analytic, howler.detection].filter(Boolean).join(' · ')} limit={160} inline />
        </Link>
      </div>
      {text !== undefined && text !== '' && <Value value={text} limit={300} />}
      <div className={styles.line}>
        <StatusMark value={howler.status} />
        <EscalationMark value={howler.escalation} />
        <UserName user={howler.assignment} />
        <Time value={alert.event?.created ?? alert.timestamp} form="both" />
      </div>
    </div>
  );
}
