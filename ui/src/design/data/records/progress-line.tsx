import { useId } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import { formatNumber } from '../values/numbers.ts';
import styles from './records.module.css';

export interface ProgressLineProps {
  /** Names the work, "Assessing". */
  readonly label: string;
  readonly done: number;
  /** Undefined while it is not known. */
  readonly total?: number | undefined;
}

/** Shows how far a work of many steps is. */
export function ProgressLine({ label, done, total }: ProgressLineProps) {
  const { i18n } = useTranslation();
  const id = useId();
  const counts = [done, total]
    .filter((count) => count !== undefined)
    .map((count) => formatNumber(count, i18n.language));
  return (
    <div className={styles.progress}>
      <span id={id}>
        {label} {counts.join(' / ')}
      </span>
      <progress aria-labelledby={id} {...(total === undefined ? {} : { value: done, max: Math.max(1, total) })} />
    </div>
  );
}
