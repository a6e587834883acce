import type { ReactElement } from 'react';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './loading.module.css';

/** Says that something is loaded. Nothing is seen for the first 150 ms, and nothing moves. */
export function Loading({ label }: { readonly label?: string | undefined }): ReactElement {
  const { t } = useTranslation();
  return (
    <div className={styles.loading} role="status">
      {label ?? t('common.loading')}
    </div>
  );
}
