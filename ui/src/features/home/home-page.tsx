import { useTranslation } from 'react-i18next';
import { useSession } from '../../shell/session-context.tsx';

/** The first page: the work that waits. */
export function HomePage() {
  const { t } = useTranslation();
  const { session } = useSession();
  return <h1>{t('shell.welcome', { name: session.name })}</h1>;
}
