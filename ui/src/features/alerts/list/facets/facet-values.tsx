import { Minus, X } from 'lucide-react';
import { useState } from 'react';
import type { ValueCount } from '../../../../api/value-counts.ts';
import { Button } from '../../../../design/controls/button.tsx';
import { IconButton } from '../../../../design/controls/icon-button.tsx';
import { Count } from '../../../../design/data/values/count.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import styles from './facet-values.module.css';

interface Props {
  readonly title: string;
  readonly counts: readonly ValueCount[];
  /** Takes the field out of the panel. Its heading is then shown without values, too. */
  readonly onRemove?: (() => void) | undefined;
  readonly onChoose: (value: string, excluded: boolean) => void;
}

const FEW = 6;

/** The values of one field: a press includes one, the minus beside it excludes it. */
export function FacetValues({ title, counts, onChoose, onRemove }: Props) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  if (counts.length === 0 && onRemove === undefined) return null;
  const shown = isWhole ? counts : counts.slice(0, FEW);
  const most = Math.max(...counts.map(({ count }) => count));
  return (
    <section className={styles.facet}>
      {onRemove === undefined ? (
        <h3 className={styles.title}>{title}</h3>
      ) : (
        <div className={styles.heading}>
          <h3 className={styles.field}>
            <Value value={title} inline />
          </h3>
          <IconButton icon={X} small label={t('alerts.removeFacet', { field: title })} onClick={onRemove} />
        </div>
      )}
      {counts.length === 0 ? <p className={styles.nothing}>{t('alerts.noFacetValue')}</p> : null}
      <ul className={styles.values}>
        {shown.map(({ value, count }) => (
          <li key={value} className={styles.row}>
            <button
              type="button"
              className={styles.value}
              title={t('alerts.include', { value })}
              onClick={() => onChoose(value, false)}
            >
              <span className={styles.bar} style={{ inlineSize: `${(count / most) * 100}%` }} />
              <Value value={value} inline />
              <Count value={count} compact />
            </button>
            <IconButton
              icon={Minus}
              small
              label={t('alerts.exclude', { value })}
              onClick={() => onChoose(value, true)}
            />
          </li>
        ))}
      </ul>
      {counts.length > FEW ? (
        <Button kind="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('common.showLess') : t('common.showAll')}
        </Button>
      ) : null}
    </section>
  );
}
