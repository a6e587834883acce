import { type FormEvent, useState } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { openSession, type SessionState, type SignInOptions } from '../../api/session.ts';
import { Button } from '../../design/controls/button.tsx';
import { buttonClass } from '../../design/controls/button-class.ts';
import { TextField } from '../../design/forms/text-field.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { rememberAskedPage } from './asked-page.ts';
import { type AskedFactors, askedFactorsOf, type GivenFactor } from './second-factor.ts';
import { SecondFactorForm } from './second-factor-form.tsx';
import styles from './sign-in.module.css';
import { refusalWords } from './sign-in-words.ts';

interface Props {
  readonly options: SignInOptions;
  readonly initialUser?: string;
  readonly onSignedIn: (answer: SessionState) => void;
}

/** The form for a password and, where the account has one, a second factor. */
export function SignInForm({ options, initialUser = '', onSignedIn }: Props) {
  const { t, i18n } = useTranslation();
  const [user, setUser] = useState(initialUser);
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const [asked, setAsked] = useState<AskedFactors | undefined>(undefined);
  const [isPending, setPending] = useState(false);

  const send = async (factor: GivenFactor) =>
    onSignedIn(await openSession({ method: 'password', user, password, ...factor }));
  const signIn = async () => {
    setPending(true);
    try {
      await send({});
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      const factors = askedFactorsOf(error);
      setAsked(factors);
      setProblem(factors === undefined ? error : undefined);
    } finally {
      setPending(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void signIn();
  };

  if (asked !== undefined) return <SecondFactorForm asked={asked} send={send} onBack={() => setAsked(undefined)} />;
  return (
    <>
      {options.password ? (
        <form className={styles.form} onSubmit={submit}>
          <TextField
            label={t('shell.signIn.user')}
            value={user}
            onChange={setUser}
            autoComplete="username"
            required
            autoFocus={initialUser === ''}
          />
          <TextField
            label={t('shell.signIn.password')}
            type="password"
            value={password}
            onChange={setPassword}
            autoComplete="current-password"
            required
            autoFocus={initialUser !== ''}
          />
          {problem === undefined ? null : (
            <p role="alert" className={styles.problem}>
              {refusalWords(problem, t, i18n.language, Date.now())}
            </p>
          )}
          <Button type="submit" kind="primary" busy={isPending}>
            {t('shell.signIn.submit')}
          </Button>
        </form>
      ) : null}
      {options.password ? <ForgottenPassword words={options.forgotten_password} /> : null}
      {options.providers.map(({ name, label, url }) => (
        <a key={name} className={buttonClass()} href={url} onClick={rememberAskedPage}>
          {t('shell.signIn.provider', { name: label })}
        </a>
      ))}
    </>
  );
}

/** Says what to do without the password, in the words of the installation or ours. */
function ForgottenPassword({ words }: { readonly words: string | null }) {
  const { t } = useTranslation();
  return (
    <details className={styles.note}>
      <summary>{t('shell.signIn.forgotten')}</summary>
      <p className={styles.help}>{words ?? t('shell.signIn.forgottenText')}</p>
    </details>
  );
}
