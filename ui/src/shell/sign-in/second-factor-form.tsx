import { type FormEvent, useState } from 'react';
import { ApiProblem, messageOf } from '../../api/problem.ts';
import { Button } from '../../design/controls/button.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import {
  type AskedFactors,
  answerOfSecurityKey,
  askedFactorsOf,
  type GivenFactor,
  isHostOfKeys,
} from './second-factor.ts';
import styles from './sign-in.module.css';

interface Props {
  readonly asked: AskedFactors;
  /** Sends the sign-in again with a second factor; without one it asks for a new challenge. */
  readonly send: (factor: GivenFactor) => Promise<void>;
  readonly onBack: () => void;
}

/** Asks for the second factor of a sign-in: a code, or the touch of a security key. */
export function SecondFactorForm({ asked, send, onBack }: Props) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [message, setMessage] = useState<string | undefined>(undefined);
  const [challenge, setChallenge] = useState(asked.challenge);
  const [isPending, setPending] = useState(false);
  const host = asked.challenge?.rpId;
  const isElsewhere = host !== undefined && !isHostOfKeys(host, location.hostname);

  const run = async (work: () => Promise<void>) => {
    setPending(true);
    setMessage(undefined);
    try {
      await work();
    } catch (error) {
      setCode('');
      const isWrong = error instanceof ApiProblem && WRONG.has(error.code ?? '');
      setMessage(isWrong ? t('shell.signIn.wrongFactor') : messageOf(error));
    } finally {
      setPending(false);
    }
  };
  /** Returns a challenge that was not answered yet. */
  const freshChallenge = async () => {
    if (challenge !== undefined) return challenge;
    try {
      await send({});
      return undefined;
    } catch (error) {
      const again = askedFactorsOf(error);
      if (again === undefined) throw error;
      return again.challenge;
    }
  };
  const answerByKey = () =>
    run(async () => {
      const options = await freshChallenge();
      if (options === undefined) return;
      setChallenge(options);
      const answer = await answerOfSecurityKey(options);
      if (answer === undefined) return;
      setChallenge(undefined);
      await send({ webauthn_auth_resp: answer });
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code !== '') void run(() => send({ otp: code }));
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      {asked.challenge === undefined ? null : isElsewhere ? (
        <p className={styles.note}>{t('shell.signIn.keyHost', { host })}</p>
      ) : (
        <Button kind="primary" onClick={() => void answerByKey()} busy={isPending} autoFocus>
          {t('shell.signIn.securityKey')}
        </Button>
      )}
      {asked.code === undefined ? null : (
        <TextField
          label={t(asked.code === 'recovery_code' ? 'shell.signIn.recoveryCode' : 'shell.signIn.otp')}
          hint={asked.code === 'recovery_code' ? undefined : t('shell.signIn.otpHint')}
          value={code}
          onChange={setCode}
          autoComplete="one-time-code"
          autoFocus={asked.challenge === undefined || isElsewhere}
        />
      )}
      {message === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {message}
        </p>
      )}
      {asked.code === undefined ? null : (
        <Button type="submit" kind={asked.challenge === undefined ? 'primary' : 'plain'} busy={isPending}>
          {t('shell.signIn.submit')}
        </Button>
      )}
      <Button kind="quiet" onClick={onBack}>
        {t('shell.signIn.back')}
      </Button>
    </form>
  );
}

/** Codes of refusals of a second factor, whose sentences are those of the public system. */
const WRONG: ReadonlySet<string> = new Set(['wrong_one_time_password', 'wrong_security_token']);
