import { useDisplaySettings } from '../display-settings.ts';
import { useWords } from '../words.ts';
import { useNow } from './clock.ts';
import { formatRelative, formatTime, type Precision, type RawTime, readTime, zoneName } from './date-format.ts';
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
  const { language } = useWords();
  const { zone, times } = useDisplaySettings();
  const time = readTime(value);
  if (time === undefined) return value === null || value === undefined ? null : <Value value={String(value)} />;
  const shown = form ?? times;
  return (
    <time
      className={styles.time}
      dateTime={time.toISOString()}
      title={`${formatTime(time, zone, 'millisecond')} ${zoneName(time, language, zone)}`}
    >
      {shown !== 'relative' && formatTime(time, zone, precision)}
      {shown !== 'absolute' && <Distance time={time} isSecond={shown === 'both'} />}
    </time>
  );
}

function Distance({ time, isSecond }: { readonly time: Date; readonly isSecond: boolean }) {
  const { language } = useWords();
  const words = formatRelative(time, useNow(), language);
  return isSecond ? <span className={styles.distance}> {words}</span> : words;
}
