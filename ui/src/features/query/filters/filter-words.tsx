import type { ReactElement } from 'react';
import { Value } from '../../../design/data/values/value.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import type { FieldCondition, Filter } from '../model/filter.ts';
import styles from './filters.module.css';

/** Values of a filter that a chip shows; it says how many more there are. */
const MAX_VALUES = 3;
const MAX_VALUE_LENGTH = 60;

/** Draws a filter in words: state, field, relation and values. */
export function FilterWords({ filter }: { readonly filter: Filter }): ReactElement {
  const { t } = useTranslation();
  return (
    <>
      {filter.off && <span className={styles.state}>{t('query.filter.off')}</span>}
      {filter.kind === 'query' ? (
        <>
          {filter.excluded && <span className={styles.relation}>{t('query.filter.not')}</span>}
          <Value inline value={filter.text} limit={MAX_VALUE_LENGTH} />
        </>
      ) : (
        <>
          <span className={styles.field}>{filter.field}</span>
          <Condition condition={filter.condition} excluded={filter.excluded} />
        </>
      )}
    </>
  );
}

function Condition({ condition, excluded }: { readonly condition: FieldCondition; readonly excluded: boolean }) {
  const { t } = useTranslation();
  if (condition.kind === 'exists') {
    return <span className={styles.relation}>{t(excluded ? 'query.filter.missing' : 'query.filter.exists')}</span>;
  }
  if (condition.kind === 'range') {
    const { lower, upper } = condition;
    return (
      <>
        {excluded && <span className={styles.relation}>{t('query.filter.not')}</span>}
        {lower && <Bound sign={lower.inclusive ? '≥' : '>'} text={lower.text} />}
        {upper && <Bound sign={upper.inclusive ? '≤' : '<'} text={upper.text} />}
      </>
    );
  }
  const values = condition.kind === 'is' ? [condition.value] : condition.values;
  const more = values.length - MAX_VALUES;
  return (
    <>
      <span className={styles.relation}>{t(excluded ? 'query.filter.isNot' : 'query.filter.is')}</span>
      {values.slice(0, MAX_VALUES).map((value, index) => (
        <span key={value} className={styles.value}>
          {index > 0 && <span className={styles.relation}>{t('query.filter.or')} </span>}
          <Value inline value={value} limit={MAX_VALUE_LENGTH} />
        </span>
      ))}
      {more > 0 && <span className={styles.relation}>{t('query.filter.more', { count: more })}</span>}
    </>
  );
}

function Bound({ sign, text }: { readonly sign: string; readonly text: string }) {
  return (
    <span className={styles.value}>
      <span className={styles.relation}>{sign} </span>
      <Value inline value={text} limit={MAX_VALUE_LENGTH} />
    </span>
  );
}
