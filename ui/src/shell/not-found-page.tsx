import { Link } from '@tanstack/react-router';
import { Page } from '../design/layout/page.tsx';
import { EmptyState } from '../design/states/empty-state.tsx';
import { useTranslation } from '../i18n/translation.ts';

/** The page of an address that leads nowhere. */
export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('shell.notFound.title')}>
      <EmptyState title={t('shell.notFound.text')} action={<Link to="/">{t('shell.notFound.home')}</Link>} />
    </Page>
  );
}
