import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { operations } from '../../api/clients.ts';
import { live } from '../../api/live.ts';
import { onLiveChanges } from '../../api/live-changes.ts';
import { Button } from '../../design/controls/button.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { preferences, usePreferences } from '../../shell/preferences.ts';
import { FirstKey } from './first-key.tsx';
import styles from './home.module.css';
import { isGreeted, type StepName, stepsDone } from './step-state.ts';

const POLL_MS = 5_000;
const PAGE = 'first-steps';

const stepsQuery = {
  queryKey: ['operations', 'first-steps'],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await operations.GET('/v1/first-steps', { signal })).data ?? null,
};

/** Greets a new system with four steps, which tick themselves off; nothing once all of them are done. */
export function FirstSteps() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isHidden = usePreferences().pages?.[PAGE] === 'hidden';
  const { data: state } = useQuery({
    ...stepsQuery,
    enabled: !isHidden,
    // Colleagues and programs do some of the steps.
    refetchInterval: ({ state: { data } }) => (data && isGreeted(data) ? POLL_MS : false),
  });
  const isShown = state && !isHidden && isGreeted(state);
  useEffect(() => {
    if (!isShown) return undefined;
    const run = () => void queryClient.invalidateQueries({ queryKey: stepsQuery.queryKey });
    return onLiveChanges(live, { types: ['hits'], run });
  }, [isShown, queryClient]);
  const load = useMutation({
    mutationFn: () => operations.POST('/v1/first-steps/demo-alerts'),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  if (!isShown) return null;
  const done = stepsDone(state);
  const contents: Readonly<Record<StepName, React.ReactNode>> = {
    password: (
      <Link to="/settings" search={{ tab: 'profile' }}>
        {t('home.steps.passwordLink')}
      </Link>
    ),
    key: <FirstKey hasKey={state.has_api_key} />,
    colleague: (
      <>
        <Link to="/administration/$section" params={{ section: 'users' }}>
          {t('home.steps.colleagueLink')}
        </Link>
        <p className={styles.empty}>{t('home.steps.providerText')}</p>
      </>
    ),
    demo: (
      <>
        <Button busy={load.isPending} onClick={() => load.mutate()}>
          {t('home.steps.demoLoad')}
        </Button>
        {load.error === null ? null : <ProblemPanel problem={load.error} />}
      </>
    ),
  };
  return (
    <section className={styles.steps} aria-labelledby="first-steps">
      <h2 id="first-steps">{t('home.steps.title')}</h2>
      <ol className={styles.stepList}>
        {(['password', 'key', 'colleague', 'demo'] as const).map((name) => (
          <li key={name} className={styles.step}>
            <h3>
              <span aria-hidden>{done[name] ? '●' : '○'}</span> {t(`home.steps.${name}`)}
              {done[name] ? <span className={styles.done}> {t('home.steps.done')}</span> : null}
            </h3>
            {done[name] ? null : contents[name]}
          </li>
        ))}
      </ol>
      <div>
        <Button kind="quiet" onClick={() => preferences.setPage(PAGE, 'hidden')}>
          {t('home.steps.hide')}
        </Button>
      </div>
    </section>
  );
}
