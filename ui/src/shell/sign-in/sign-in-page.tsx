import { useEffect, useState } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { openSession, type SignInOptions } from '../../api/session.ts';
import { buttonClass } from '../../design/controls/button-class.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { providerAnswer } from './provider-answer.ts';
import { type AskedFactors, askedFactorsOf, type GivenFactor } from './second-factor.ts';
import { SecondFactorForm } from './second-factor-form.tsx';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { refusalWords } from './sign-in-words.ts';

const RETURN_PATH = /^\/sign-in\/provider\/([^/]+)$/;

/** The page that stands in front of all others until a sign-in. */
export function SignInPage({ options, onSignedIn }: { options: SignInOptions; onSignedIn: () => void }) {
  const { t } = useTranslation();
  const provider = RETURN_PATH.exec(location.pathname)?.[1];
  useEffect(() => {
    document.title = `${t('shell.signIn.title')} · Triad`;
  }, [t]);
  return (
    <main className={styles.page}>
      <div className={styles.panel}>
        <h1 className={styles.title}>Triad</h1>
        {provider === undefined ? (
          <SignInForm options={options} onSignedIn={onSignedIn} />
        ) : (
          <ProviderReturn provider={decodeURIComponent(provider)} onSignedIn={onSignedIn} />
        )}
      </div>
    </main>
  );
}

/** Finishes a sign-in that a provider answered by sending the browser back here. */
function ProviderReturn({ provider, onSignedIn }: { provider: string; onSignedIn: () => void }) {
  const { t, i18n } = useTranslation();
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [asked, setAsked] = useState<AskedFactors | undefined>(undefined);
  useEffect(() => {
    const answer = providerAnswer(location.search);
    openSession({ method: 'provider', provider, ...answer }).then(onSignedIn, (error: unknown) => {
      setAsked(askedFactorsOf(error));
      const now = Date.now();
      setProblem(error instanceof ApiProblem ? refusalWords(error, t, i18n.language, now) : t('shell.signIn.failed'));
    });
  }, [provider, onSignedIn, t, i18n]);
  const ticket = asked?.ticket;
  if (asked !== undefined && ticket !== undefined) {
    const send = async (factor: GivenFactor) => {
      await openSession({ method: 'provider', provider, ...ticket, ...factor });
      onSignedIn();
    };
    return <SecondFactorForm asked={asked} send={send} onBack={() => location.assign('/')} />;
  }
  if (problem === undefined) return <p role="status">{t('shell.signIn.returning')}</p>;
  return (
    <>
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
      <a className={buttonClass()} href="/">
        {t('shell.signIn.back')}
      </a>
    </>
  );
}
