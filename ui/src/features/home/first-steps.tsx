import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { operations } from '../../api/clients.ts';
import { Button } from '../../design/controls/button.tsx';
import { CopyButton } from '../../design/data/values/copy-button.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useSession } from '../../shell/session-context.tsx';
import { exampleCommands } from './example-commands.ts';
import styles from './home.module.css';

const stepsQuery = {
  queryKey: ['operations', 'first-steps'],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await operations.GET('/v1/first-steps', { signal })).data ?? null,
};

/** Greets an empty system with four steps, which tick themselves off; nothing once alerts are stored. */
export function FirstSteps() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { session, services } = useSession();
  const { data: steps } = useQuery(stepsQuery);
  const load = useMutation({
    mutationFn: () => operations.POST('/v1/first-steps/demo-alerts'),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  if (!steps || steps.alerts > 0) return null;
  const commands = exampleCommands(services.alerts ?? '', session.username);
  return (
    <section className={styles.steps} aria-labelledby="first-steps">
      <h2 id="first-steps">{t('home.steps.title')}</h2>
      <ol className={styles.stepList}>
        <Step isDone={steps.first_password !== 'in_use'} title={t('home.steps.password')}>
          <Link to="/settings" search={{ tab: 'profile' }}>
            {t('home.steps.passwordLink')}
          </Link>
        </Step>
        <Step isDone={steps.has_api_key} title={t('home.steps.key')}>
          <Link to="/settings" search={{ tab: 'keys' }}>
            {t('home.steps.keyLink')}
          </Link>
          {commands.map(({ name, command }) => (
            <details key={name}>
              <summary>{name}</summary>
              <Value value={command} lines limit={2000} />
              <CopyButton value={command} plain />
            </details>
          ))}
        </Step>
        <Step isDone={steps.users > 1 || steps.providers.length > 0} title={t('home.steps.colleague')}>
          <Link to="/administration/$section" params={{ section: 'users' }}>
            {t('home.steps.colleagueLink')}
          </Link>
        </Step>
        <Step isDone={false} title={t('home.steps.demo')}>
          {steps.may_load_demo ? (
            <Button busy={load.isPending} onClick={() => load.mutate()}>
              {t('home.steps.demoLoad')}
            </Button>
          ) : null}
          {load.error === null ? null : <ProblemPanel problem={load.error} />}
        </Step>
      </ol>
    </section>
  );
}

function Step({ isDone, title, children }: { isDone: boolean; title: string; children: React.ReactNode }) {
  const { t } = useTranslation();
  return (
    <li className={styles.step}>
      <h3>
        <span aria-hidden>{isDone ? '●' : '○'}</span> {title}
        {isDone ? <span className={styles.done}> {t('home.steps.done')}</span> : null}
      </h3>
      {isDone ? null : children}
    </li>
  );
}
