import { Button } from '../../../design/controls/button.tsx';
import { DifferenceView } from '../../../design/data/records/difference-view.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { UserName } from '../../../design/data/values/user-name.tsx';
import { Dialog } from '../../../design/overlays/dialog.tsx';
import { type MessageKey, useTranslation } from '../../../i18n/translation.ts';
import type { CaseConflict, ConflictMember } from '../case-conflict.ts';
import styles from './case.module.css';

interface Props {
  readonly conflict: CaseConflict;
  /** True writes the change over what another person wrote. */
  readonly onDecide: (applies: boolean) => void;
}

const NAMES: Readonly<Record<ConflictMember, MessageKey>> = {
  title: 'cases.members.title',
  summary: 'cases.members.summary',
  overview: 'cases.members.overview',
  status: 'cases.members.status',
  escalation: 'cases.members.escalation',
  participants: 'cases.members.participants',
  targets: 'cases.members.targets',
  threats: 'cases.members.threats',
  indicators: 'cases.members.indicators',
  query: 'cases.rules.query',
  destination: 'cases.rules.destination',
  timeframe: 'cases.rules.timeframe',
  expire_after_resolved: 'cases.rules.afterResolved',
  enabled: 'cases.rules.enabled',
};

/** Draws a change beside what another person wrote meanwhile, and lets the person decide. */
export function ConflictDialog({ conflict, onDecide }: Props) {
  const { t } = useTranslation();
  const { seen, change, present, members } = conflict;
  const last = conflict.case.log?.at(-1);
  return (
    <Dialog
      open
      onClose={() => onDecide(false)}
      title={t('cases.conflict.title')}
      description={t('cases.conflict.text')}
      footer={
        <>
          <Button onClick={() => onDecide(false)}>{t('cases.conflict.keep')}</Button>
          <Button kind="primary" onClick={() => onDecide(true)}>
            {t('cases.conflict.apply')}
          </Button>
        </>
      }
    >
      {last === undefined ? null : (
        <p>
          <UserName user={last.user} /> <Time value={last.timestamp} form="both" />
        </p>
      )}
      {members.map((member) => (
        <section key={member}>
          <h3 className={styles.head}>{t(NAMES[member])}</h3>
          <dl className={styles.facts}>
            <dt>{t('cases.conflict.theirs')}</dt>
            <dd>
              <DifferenceView before={seen[member] ?? ''} after={present[member] ?? ''} />
            </dd>
            <dt>{t('cases.conflict.yours')}</dt>
            <dd>
              <DifferenceView before={seen[member] ?? ''} after={change[member] ?? ''} />
            </dd>
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
