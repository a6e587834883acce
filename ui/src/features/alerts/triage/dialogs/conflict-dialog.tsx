import { useRef } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { Time } from '../../../../design/data/values/time.tsx';
import { UserName } from '../../../../design/data/values/user-name.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { Dialog } from '../../../../design/overlays/dialog.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { useStore } from '../../../../state/use-store.ts';
import { type Triage, triageOf } from '../alert.ts';
import { changeWords, triageWords } from '../changes/words.ts';
import { perform } from '../perform.ts';
import { conflictSlot } from '../slots.ts';
import type { TriageTools } from '../triage-tools.ts';
import styles from './dialogs.module.css';

/** Draws a change beside what another person made of the alert in the meantime, and lets one decide. */
export function ConflictDialog({ tools }: { readonly tools: TriageTools }) {
  const { t } = useTranslation();
  const keep = useRef<HTMLButtonElement>(null);
  const conflict = useStore(conflictSlot);
  if (conflict === undefined) return null;
  const { change, seen, present, target } = conflict;
  const close = () => conflictSlot.set(undefined);
  const last = present.alert.howler.log.at(-1);
  const apply = () => {
    close();
    if (target !== undefined) void perform(change, [{ ...target, seen: triageOf(present.alert) }], tools);
  };
  return (
    <Dialog
      open
      onClose={close}
      title={t('alert.conflict.title')}
      description={t('alert.conflict.description')}
      initialFocus={keep}
      footer={
        <>
          <Button ref={keep} onClick={close}>
            {t('alert.conflict.keep')}
          </Button>
          <Button kind="primary" onClick={apply} disabled={target === undefined}>
            {t('alert.conflict.apply')}
          </Button>
        </>
      }
    >
      <dl className={styles.versions}>
        <dt>{t('alert.conflict.seen')}</dt>
        <dd>
          <State triage={seen} />
        </dd>
        <dt>{t('alert.conflict.present')}</dt>
        <dd>
          <State triage={present.alert.howler} />
          {last !== undefined && (
            <p className={styles.by}>
              <UserName user={last.user} /> <Time value={last.timestamp} form="both" />
            </p>
          )}
        </dd>
        <dt>{t('alert.conflict.yours')}</dt>
        <dd>{changeWords(change)}</dd>
      </dl>
    </Dialog>
  );
}

function State({ triage }: { readonly triage: Triage }) {
  return (
    <>
      {triageWords(triage)}
      {triage.rationale !== undefined && (
        <p>
          <Value value={triage.rationale} limit={300} />
        </p>
      )}
    </>
  );
}
