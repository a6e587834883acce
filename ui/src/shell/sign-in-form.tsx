import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../api/problem.ts';
import { openSession, type SessionAnswer, type SignInOptions } from '../api/session.ts';
import { Button } from '../design/controls/button.tsx';
import { buttonClass } from '../design/controls/button-class.ts';
import { TextField } from '../design/forms/text-field.tsx';
import { answerOfSecurityKey, secondFactorsOf } from './second-factor.ts';
import styles from './sign-in.module.css';

interface Props {
  readonly options: SignInOptions;
  readonly initialUser?: string;
  readonly onSignedIn: (answer: SessionAnswer) => void;
}

/** The form for a password and, where the account has one, a second factor. */
export function SignInForm({ options, initialUser = '', onSignedIn }: Props) {
  const { t } = useTranslation();
  const [user, setUser] = useState(initialUser);
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const [isPending, setPending] = useState(false);
  const factors = secondFactorsOf(problem);

  const signIn = async (secondFactor: { otp?: string; webauthn_auth_resp?: unknown }) => {
    setPending(true);
    try {
      onSignedIn(await openSession({ method: 'password', user, password, ...secondFactor }));
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setProblem(error);
      setOtp('');
    } finally {
      setPending(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void signIn(otp === '' ? {} : { otp });
  };
  const answerWithKey = async () => {
    const response = await answerOfSecurityKey(problem);
    if (response !== undefined) await signIn({ webauthn_auth_resp: response });
  };

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
          {factors.otp ? (
            <TextField
              label={t('shell.signIn.otp')}
              hint={t('shell.signIn.otpHint')}
              value={otp}
              onChange={setOtp}
              autoComplete="one-time-code"
              inputMode="numeric"
              autoFocus
            />
          ) : null}
          {problem === undefined || (factors.isAsked && otp === '') ? null : (
            <p role="alert" className={styles.problem}>
              {problem.message}
            </p>
          )}
          <Button type="submit" kind="primary" busy={isPending}>
            {t('shell.signIn.submit')}
          </Button>
          {factors.securityKey ? (
            <Button onClick={() => void answerWithKey()} busy={isPending}>
              {t('shell.signIn.securityKey')}
            </Button>
          ) : null}
        </form>
      ) : null}
      {options.providers.map(({ name, label, url }) => (
        <a key={name} className={buttonClass()} href={url}>
          {t('shell.signIn.provider', { name: label })}
        </a>
      ))}
    </>
  );
}
