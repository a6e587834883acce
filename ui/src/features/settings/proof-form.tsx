import { useState } from 'react';
import { web } from '../../api/clients.ts';
import type { components } from '../../api/generated/web.ts';
import { Button } from '../../design/controls/button.tsx';
import { Form } from '../../design/forms/form.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useSession } from '../../shell/session-context.tsx';
import { answerOfSecurityKey, isOptions } from '../../shell/sign-in/second-factor.ts';

interface Props {
  readonly factors: components['schemas']['SecondFactors'];
  readonly onProved: () => Promise<void>;
}

/** Asks for the password or a second factor again, before second factors are changed. */
export function ProofForm({ factors, onProved }: Props) {
  const { t } = useTranslation();
  const { signIn } = useSession();
  const [problem, setProblem] = useState<unknown>(undefined);
  const prove = async (body: components['schemas']['Proof']) => {
    await web.POST('/session/second-factors/proof', { body });
    await onProved();
  };
  const form = useForm({
    initial: { password: '', otp: '' },
    submit: ({ password, otp }) => prove(otp === '' ? { password } : { otp }),
  });
  const proveByKey = async () => {
    try {
      const { data } = await web.POST('/session/second-factors/proof/challenge');
      const answer = isOptions(data) ? await answerOfSecurityKey(data) : undefined;
      if (answer !== undefined) await prove({ webauthn_auth_resp: answer });
    } catch (failure) {
      setProblem(failure);
    }
  };
  return (
    <>
      {problem === undefined ? null : <ProblemPanel problem={problem} />}
      <Form form={form} label={t('settings.security.proof')} submitLabel={t('settings.security.prove')}>
        {signIn.password ? (
          <TextField
            label={t('shell.signIn.password')}
            type="password"
            autoComplete="current-password"
            autoFocus
            {...form.field('password')}
          />
        ) : null}
        {factors.one_time_passwords || factors.recovery_codes > 0 ? (
          <TextField
            label={t('shell.signIn.otp')}
            hint={t('shell.signIn.otpHint')}
            autoComplete="one-time-code"
            optional={signIn.password}
            {...form.field('otp')}
          />
        ) : null}
      </Form>
      {factors.security_keys.length > 0 ? (
        <Button onClick={() => void proveByKey()}>{t('shell.signIn.securityKey')}</Button>
      ) : null}
    </>
  );
}
