import type { Translate } from '../../i18n/translation.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { parserSentence } from './language/parser-sentence.ts';
import type { QueryProblem } from './language/server-problem.ts';
import styles from './query-bar.module.css';

export interface ProblemLineProps {
  readonly text: string;
  readonly problems: readonly QueryProblem[];
  /** A sentence that counts before the problems. */
  readonly notice: string | undefined;
  /** Takes the text with a mistyped field replaced. */
  readonly onReplace: (text: string) => void;
}

/** Says the first problem of a query in a sentence below it; screen readers hear it. */
export function ProblemLine({ text, problems, notice, onReplace }: ProblemLineProps) {
  const { t } = useTranslation();
  const [first, ...others] = problems;
  const sentence = notice ?? (first && sentenceOf(first, t));
  const similar = notice === undefined && first?.kind === 'unknown_field' ? first.similar : undefined;
  return (
    <div role="status" className={styles.problems}>
      {sentence}
      {first && similar !== undefined && (
        <button
          type="button"
          className={styles.replace}
          onClick={() => onReplace(`${text.slice(0, first.from)}${similar}${text.slice(first.to)}`)}
        >
          {t('query.problem.didYouMean', { name: similar })}
        </button>
      )}
      {sentence !== undefined && others.length > 0 && (
        <span className={styles.more}>{t('query.problem.more', { count: others.length })}</span>
      )}
    </div>
  );
}

function sentenceOf(problem: QueryProblem, t: Translate): string {
  if (problem.kind === 'unknown_field') return t('query.problem.unknownField', { field: problem.field });
  return problem.problem === undefined ? problem.message : parserSentence(problem.problem, t);
}
