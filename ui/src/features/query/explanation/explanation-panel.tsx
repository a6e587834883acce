import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import type { QueryFields } from '../language/query-fields.ts';
import { wordsOf } from '../words/expand-words.ts';
import { type Explanation, explainQuery } from './explain-query.ts';
import styles from './explanation.module.css';

export interface ExplanationPanelProps {
  readonly query: string;
  readonly fields: QueryFields | undefined;
  /** The fields that words without one are looked for in. Default: the default field of the index. */
  readonly wordFields?: readonly string[] | undefined;
  readonly onClose: () => void;
}

/** Says below the bar what the query finds; it follows what is typed. */
export function ExplanationPanel({ query, fields, wordFields, onClose }: ExplanationPanelProps): ReactElement {
  const { t } = useTranslation();
  const explanation = explainQuery(query, { fields, wordFields, now: new Date(), t });
  const hasWords =
    wordFields !== undefined && explanation !== undefined && wordsOf(query).some(({ kind }) => kind !== 'any_value');
  return (
    <section className={styles.panel} aria-label={t('query.explain.title')} aria-live="polite">
      <div className={styles.words}>
        {explanation ? <Sentence explanation={explanation} /> : t('query.explain.broken')}
        {hasWords && <p className={styles.fields}>{t('query.explain.searched', { fields: wordFields.join(', ') })}</p>}
      </div>
      <IconButton small icon={X} label={t('common.close')} keys="Escape" onClick={onClose} />
    </section>
  );
}

function Sentence({ explanation }: { readonly explanation: Explanation }): ReactElement {
  const { words, parts } = explanation;
  return (
    <>
      {words}
      {parts.length > 0 && (
        <ul className={styles.parts}>
          {parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no state, and two may be the same.
            <li key={index}>
              <Sentence explanation={part} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
