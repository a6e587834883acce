import { Bookmark, X } from 'lucide-react';
import { IconButton } from '../../../../design/controls/icon-button.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { useViewTitle } from '../../../query/sources/view-title.ts';
import styles from '../alerts-page.module.css';
import type { View } from './view-search.ts';

/** Names the view of the list, whose order, columns and rules hold while its search is changed. */
export function ShownView({ view, onLeave }: { view: View; onLeave: () => void }) {
  const { t } = useTranslation();
  const title = useViewTitle()(view);
  return (
    <span className={styles.view}>
      <Bookmark size={16} aria-hidden />
      <span className={styles.viewTitle}>{t('alerts.inView', { title })}</span>
      <IconButton small icon={X} label={t('alerts.leaveView', { title })} onClick={onLeave} />
    </span>
  );
}
