import { createContext, useContext } from 'react';
import { type ClassificationStyles, classificationLook } from '../classification/classification-look.ts';
import { visibleText } from '../text/visible-text.ts';
import { useWords } from '../words.ts';
import styles from './marks.module.css';

/** The definition of classifications, `c12nDef` of GET /api/v1/configs. The shell provides it. */
export const ClassificationContext = createContext<ClassificationStyles | undefined>(undefined);

interface ClassificationProps {
  readonly value: string | null | undefined;
}

/** Shows the classification of an object in the colour that the definition has for its level. */
export function ClassificationMark({ value }: ClassificationProps) {
  const { t } = useWords();
  const { tone, own } = classificationLook(value ?? '', useContext(ClassificationContext));
  const name = value ? lettersOf(value) : t('data.classification.missing');
  return (
    <span
      className={styles.classification}
      data-tone={own ? 'own' : tone}
      style={own && { background: own.ground, color: own.letters }}
      title={t('data.classification.label', { name })}
    >
      {name}
    </span>
  );
}

/** Shows the highest classification of what a page may show, above the page. */
export function ClassificationBanner({ value }: ClassificationProps) {
  const { t } = useWords();
  const { tone, own } = classificationLook(value ?? '', useContext(ClassificationContext));
  if (!value) return null;
  const name = lettersOf(value);
  return (
    <section
      className={styles.banner}
      data-tone={own ? 'own' : tone}
      style={own && { background: own.ground, color: own.letters }}
      aria-label={t('data.classification.label', { name })}
    >
      {name}
    </section>
  );
}

/**
 * Definitions are written by administrators, records by anyone: characters without a look are left
 * out.
 */
function lettersOf(value: string): string {
  return visibleText(value, { limit: 200 })
    .segments.map((segment) => (segment.kind === 'text' ? segment.text : `‹${segment.code}›`))
    .join('');
}
