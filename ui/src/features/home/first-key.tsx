import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { alerts, dataOf } from '../../api/clients.ts';
import { Button } from '../../design/controls/button.tsx';
import { CopyButton } from '../../design/data/values/copy-button.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useSession } from '../../shell/session-context.tsx';
import { exampleCommands } from './example-commands.ts';
import styles from './home.module.css';

const MAX_COMMAND = 2000;

/** Makes a key that may send alerts, and shows commands that send one with it. */
export function FirstKey({ hasKey }: { readonly hasKey: boolean }) {
  const { t } = useTranslation();
  const { session, services } = useSession();
  const make = useMutation({
    mutationFn: async () => {
      const body = { name: `first alert ${Date.now().toString(36)}`, priv: ['R', 'W'] };
      return (await dataOf(alerts.POST('/api/v1/auth/apikey', { body }))).apikey;
    },
  });
  const secret = make.data;
  return (
    <>
      {secret === undefined ? (
        <div className={styles.stepTools}>
          <Button busy={make.isPending} onClick={() => make.mutate()}>
            {t('home.steps.keyMake')}
          </Button>
          {hasKey ? (
            <Link to="/settings" search={{ tab: 'keys' }}>
              {t('home.steps.keyLink')}
            </Link>
          ) : null}
        </div>
      ) : (
        <p role="status">{t('home.steps.keyShown')}</p>
      )}
      {make.error === null ? null : <ProblemPanel problem={make.error} />}
      {exampleCommands(services.alerts ?? '', session.username, secret).map(({ name, command }) => (
        <details key={name} open={name === 'curl' && secret !== undefined}>
          <summary>{name}</summary>
          <Value value={command} lines limit={MAX_COMMAND} />
          <CopyButton value={command} plain />
        </details>
      ))}
    </>
  );
}
