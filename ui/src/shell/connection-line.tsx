import { useEffect, useState, useSyncExternalStore } from 'react';
import { connectionState, subscribeToConnection } from '../api/connection.ts';
import { useTranslation } from '../i18n/translation.ts';
import styles from './shell.module.css';

/** One line that says why answers are missing; nothing while all is well. */
export function ConnectionLine() {
  const { t } = useTranslation();
  const state = useSyncExternalStore(subscribeToConnection, connectionState);
  const [now, setNow] = useState(Date.now);
  const isWaiting = state.kind === 'waiting';
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  if (state.kind === 'online') return null;
  const text =
    state.kind === 'offline'
      ? t('shell.connection.offline')
      : t('shell.connection.waiting', { seconds: Math.max(0, Math.ceil((state.until - now) / 1000)) });
  return (
    <div role="status" className={styles.notice}>
      {text}
    </div>
  );
}
