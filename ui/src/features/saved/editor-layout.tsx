import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands } from '../../keys/commands.tsx';
import styles from './saved.module.css';

interface Props {
  /** Leads back to the list. */
  readonly onBack: () => void;
  /** Undefined: the form takes the width alone. */
  readonly preview?: ReactNode;
  /** The form, and what follows it. */
  readonly children: ReactNode;
}

/** Draws a form and the preview of what it makes, if any, side by side where there is room. */
export function EditorLayout({ onBack, preview, children }: Props) {
  const { t } = useTranslation();
  useCommands([{ id: 'close', name: t('saved.back'), run: onBack }]);
  return (
    <div className={preview === undefined ? styles.single : styles.editor}>
      <div className={styles.back}>
        <Button kind="quiet" icon={ArrowLeft} onClick={onBack}>
          {t('saved.back')}
        </Button>
      </div>
      <div className={styles.form}>{children}</div>
      {preview === undefined ? null : (
        <section className={styles.preview} aria-label={t('saved.preview.title')}>
          <h2 className={styles.heading}>{t('saved.preview.title')}</h2>
          {preview}
        </section>
      )}
    </div>
  );
}
