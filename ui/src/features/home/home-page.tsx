import { useTranslation } from 'react-i18next';
import { Page } from '../../design/layout/page.tsx';
import { useSession } from '../../shell/session-context.tsx';

/** The first page: the work that waits. */
export function HomePage() {
  const { t } = useTranslation();
  const { session } = useSession();
  return <Page title={t('shell.rail.home')}>{t('shell.welcome', { name: session.name })}</Page>;
}
