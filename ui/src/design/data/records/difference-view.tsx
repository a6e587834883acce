import { useTranslation } from '../../../i18n/translation.ts';
import { type DifferencePart, difference } from '../structure/difference.ts';
import { Value } from '../values/value.tsx';
import styles from './records.module.css';

const MAX_PARTS = 200;

/** Shows how a value became another one: what went is struck through, what came is underlined. */
export function DifferenceView({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const { t } = useTranslation();
  const isList = Array.isArray(before) || Array.isArray(after);
  const parts = difference(before, after);
  if (parts.length === 0) return <span className={styles.quiet}>{t('data.difference.none')}</span>;
  return (
    <span className={isList ? styles.list : styles.difference}>
      {parts.slice(0, MAX_PARTS).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one difference have no other name.
        <Part key={index} part={part} />
      ))}
      {parts.length > MAX_PARTS && '…'}
    </span>
  );
}

function Part({ part }: { readonly part: DifferencePart }) {
  const value = <Value value={part.text} lines />;
  if (part.kind === 'removed') return <del className={styles.removed}>{value}</del>;
  return part.kind === 'added' ? <ins className={styles.added}>{value}</ins> : value;
}
