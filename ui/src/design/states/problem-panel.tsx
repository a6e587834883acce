import { CircleAlert, Copy, RotateCw } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { ApiProblem, messageOf } from '../../api/problem.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { Button } from '../controls/button.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { copyText } from '../data/values/copy.ts';
import { PartMissing } from '../late/import-part.ts';
import { cutText } from './cut-text.ts';
import styles from './problem.module.css';

/** Some messages repeat what was sent, which may be megabytes. */
const MAX_SENTENCE = 1000;

export interface ProblemPanelProps {
  /** The thrown value: an ApiProblem, or anything else. */
  readonly problem: unknown;
  /** Repeats what failed. */
  readonly onRetry?: (() => void) | undefined;
  /** Words above the sentence, for example which pane failed. */
  readonly title?: string | undefined;
}

/** Draws a failure: its sentence, the error id to copy, and a button to try again. */
export function ProblemPanel({ problem, onRetry, title }: ProblemPanelProps): ReactElement {
  const { t } = useTranslation();
  const errorId = problem instanceof ApiProblem ? problem.errorId : undefined;
  return (
    <div className={styles.panel} role="alert">
      <CircleAlert className={styles.mark} size={16} aria-hidden />
      <div className={styles.words}>
        {title && <strong>{title} </strong>}
        {sentenceOf(problem)}
      </div>
      {errorId && <ErrorId id={errorId} />}
      <div className={styles.actions}>
        {onRetry && (
          <Button icon={RotateCw} onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )}
        {problem instanceof PartMissing && <Button onClick={() => location.reload()}>{t('connection.reload')}</Button>}
      </div>
    </div>
  );
}

function ErrorId({ id }: { readonly id: string }): ReactElement {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => setCopied(await copyText(id));
  return (
    <div className={styles.id}>
      {t('design.errorId')} <code>{id}</code>
      <IconButton icon={Copy} label={t('design.copyErrorId')} small onClick={() => void copy()} />
      <span role="status">{isCopied ? t('common.copied') : ''}</span>
    </div>
  );
}

function sentenceOf(problem: unknown): string {
  return cutText(messageOf(problem), MAX_SENTENCE);
}
