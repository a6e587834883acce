import { useState } from 'react';
import { useWords } from '../words.ts';
import { Value } from './value.tsx';
import styles from './values.module.css';

export interface TagsProps {
  readonly values: readonly string[];
  /** Tags shown before "n more"; default 12. */
  readonly max?: number;
  /** True in rows of lists: one line, nothing to press. */
  readonly inline?: boolean;
}

/** Shows labels and other short values, each once. */
export function Tags({ values, max = 12, inline = false }: TagsProps) {
  const { t } = useWords();
  const [isWhole, setWhole] = useState(false);
  const all = [...new Set(values)];
  const shown = isWhole ? all : all.slice(0, max);
  const left = all.length - shown.length;
  if (all.length === 0) return null;
  return (
    <ul className={styles.tags} data-inline={inline || undefined}>
      {shown.map((value) => (
        <li key={value} className={styles.tag}>
          <Value value={value} limit={120} inline />
        </li>
      ))}
      {left > 0 && (
        <li>
          {inline ? (
            t('data.tags.more', { count: left })
          ) : (
            <button type="button" className={styles.more} onClick={() => setWhole(true)}>
              {t('data.tags.more', { count: left })}
            </button>
          )}
        </li>
      )}
    </ul>
  );
}
