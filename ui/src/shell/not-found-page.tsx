import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePage } from './page-context.tsx';
import styles from './shell.module.css';

/** The page of an address that leads nowhere. */
export function NotFoundPage() {
  const { t } = useTranslation();
  usePage({ title: t('shell.notFound.title') });
  return (
    <div className={styles.failure}>
      <p>{t('shell.notFound.text')}</p>
      <Link to="/">{t('shell.notFound.home')}</Link>
    </div>
  );
}
