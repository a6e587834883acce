import type { ReactNode } from 'react';
import type { ColourToken } from '../marks/severity.ts';
import { formatCompact, formatNumber, formatShare } from '../values/numbers.ts';
import { useWords } from '../words.ts';
import styles from './charts.module.css';

export interface BarItem {
  readonly id: string;
  /** A `Value`, a mark or a user. */
  readonly label: ReactNode;
  readonly count: number;
  readonly colour?: ColourToken;
}

export interface BarListProps {
  readonly label: string;
  readonly items: readonly BarItem[];
  /** All that was counted, for the share; default: the sum of the items. */
  readonly total?: number;
  /** Leads to the query of the item. */
  readonly onPick?: (id: string) => void;
  /** Buttons at each item: include, exclude. */
  readonly actions?: (item: BarItem) => ReactNode;
}

/** Shows counts as bars in a list; each leads to its query. */
export function BarList({ label, items, total, onPick, actions }: BarListProps) {
  const { t, language } = useWords();
  const largest = Math.max(1, ...items.map(({ count }) => count));
  const all = Math.max(1, total ?? items.reduce((sum, { count }) => sum + count, 0));
  return (
    <ul className={styles.bars} aria-label={label}>
      {items.map((item) => {
        const share = formatShare(item.count / all, language);
        const count = formatNumber(item.count, language);
        const content = (
          <>
            <span
              className={styles.bar}
              data-colour={item.colour ?? 'accent'}
              style={{ inlineSize: `${(item.count / largest) * 100}%` }}
            />
            <span className={styles.barLabel}>{item.label}</span>
            <span className={styles.barCount}>{formatCompact(item.count, language)}</span>
          </>
        );
        return (
          <li key={item.id} className={styles.barRow}>
            {onPick === undefined ? (
              <span className={styles.barContent}>{content}</span>
            ) : (
              <button
                type="button"
                className={styles.barContent}
                title={t('data.chart.share', { number: count, share })}
                onClick={() => onPick(item.id)}
              >
                {content}
              </button>
            )}
            {actions && <span className={styles.barActions}>{actions(item)}</span>}
          </li>
        );
      })}
    </ul>
  );
}
