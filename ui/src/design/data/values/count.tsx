import { useWords } from '../words.ts';
import { formatCompact, formatNumber } from './numbers.ts';
import styles from './values.module.css';

/** Shows a number with the separators of the language; `compact` shortens it from 10,000 on. */
export function Count({ value, compact = false }: { readonly value: number; readonly compact?: boolean }) {
  const { language } = useWords();
  const whole = formatNumber(value, language);
  if (!compact) return <span className={styles.count}>{whole}</span>;
  return (
    <span className={styles.count} title={whole}>
      {formatCompact(value, language)}
    </span>
  );
}
