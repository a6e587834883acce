import { useTranslation } from 'react-i18next';
import { useDisplaySettings } from '../display-settings.ts';
import {
  formatLongTime,
  formatRelative,
  formatTime,
  type Precision,
  type RawTime,
  readTime,
} from '../logic/date-format.ts';
import { useNow } from './clock.ts';
import { Value } from './value.tsx';
import styles from './values.module.css';

export interface TimeProps {
  readonly value: RawTime;
  /** Default: the preference of the reader. `both`: absolute, and the distance behind it. */
  readonly form?: 'relative' | 'absolute' | 'both';
  readonly precision?: Precision;
}

/**
 * Shows a moment in the zone of the reader's choice; what is not a time is shown as the value that it
 * is.
 */
export function Time({ value, form, precision }: TimeProps) {
  const { i18n } = useTranslation();
  const { zone, times } = useDisplaySettings();
  const time = readTime(value);
  if (time === undefined) return value === null || value === undefined ? null : <Value value={String(value)} />;
  const shown = form ?? times;
  return (
    <time className={styles.time} dateTime={time.toISOString()} title={formatLongTime(time, i18n.language, zone)}>
      {shown !== 'relative' && formatTime(time, zone, precision)}
      {shown !== 'absolute' && <Distance time={time} isSecond={shown === 'both'} />}
    </time>
  );
}

function Distance({ time, isSecond }: { readonly time: Date; readonly isSecond: boolean }) {
  const { i18n } = useTranslation();
  const words = formatRelative(time, useNow(), i18n.language);
  return isSecond ? <span className={styles.distance}> {words}</span> : words;
}
