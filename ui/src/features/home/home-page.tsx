import { Page } from '../../design/layout/page.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useSession } from '../../shell/session-context.tsx';

/** The first page: the work that waits. */
export function HomePage() {
  const { t } = useTranslation();
  const { session } = useSession();
  return <Page title={t('shell.rail.home')}>{t('shell.welcome', { name: session.name })}</Page>;
}
