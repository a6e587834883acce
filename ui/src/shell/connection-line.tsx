import { useEffect, useState } from 'react';
import { type ConnectionState, connection } from '../api/connection.ts';
import { live } from '../api/live.ts';
import { Button } from '../design/controls/button.tsx';
import { missingParts } from '../design/late/late-part.ts';
import { useTranslation } from '../i18n/translation.ts';
import { useStore } from '../state/use-store.ts';
import styles from './connection-line.module.css';

/** Milliseconds without live events before it is said: a cut is usually over within a second. */
const LIVE_PATIENCE = 5_000;

/** Says in one line why answers, parts of the page or live updates are missing; else nothing. */
export function ConnectionLine() {
  const { t } = useTranslation();
  const state = useStore(connection.state);
  const parts = useStore(missingParts);
  const isLiveLost = useIsLiveLost();
  if (state.kind !== 'online') return <Waiting state={state} />;
  if (parts.length > 0) {
    return (
      <div className={styles.line}>
        <span role="status">{t('connection.partMissing')}</span>
        <Button onClick={() => parts.map((part) => part.load())}>{t('common.retry')}</Button>
        <Button onClick={() => location.reload()}>{t('connection.reload')}</Button>
      </div>
    );
  }
  return isLiveLost ? (
    <div className={styles.line} role="status">
      {t('connection.liveLost')}
    </div>
  ) : null;
}

/** Counts down to the next try. */
function Waiting({ state }: { readonly state: Exclude<ConnectionState, { kind: 'online' }> }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((state.until - now) / 1000));
  return (
    <div className={styles.line}>
      <span role="status">
        {sentenceOf(state, t)} <span aria-hidden>{t('connection.nextTry', { seconds })}</span>
      </span>
      {state.kind === 'offline' && <Button onClick={() => connection.askNow()}>{t('connection.tryNow')}</Button>}
    </div>
  );
}

function sentenceOf(
  state: Exclude<ConnectionState, { kind: 'online' }>,
  t: ReturnType<typeof useTranslation>['t'],
): string {
  if (state.kind === 'offline') return t('connection.offline');
  const { reason } = state;
  return reason === undefined ? t('connection.waiting') : t('connection.waitingFor', { reason });
}

/** Returns true where pages listen to live events that have been away for longer than a moment. */
function useIsLiveLost(): boolean {
  const state = useStore({ read: live.state, subscribe: live.subscribe });
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (state !== 'disconnected') return;
    const timer = setTimeout(() => setLost(true), LIVE_PATIENCE);
    return () => {
      clearTimeout(timer);
      setLost(false);
    };
  }, [state]);
  return isLost;
}
