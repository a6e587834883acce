import { useQuery } from '@tanstack/react-query';
import { web } from '../../api/clients.ts';
import { CopyButton } from '../../design/data/values/copy-button.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { Form } from '../../design/forms/form.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './settings.module.css';

const ADDRESS = '/session/second-factors/one-time-passwords';

/** Shows the secret for an authenticator app and asks for its first code. */
export function OneTimePasswordSetup({ onDone }: { onDone: (codes: readonly string[] | null) => Promise<void> }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ['web', 'one-time-password-setup'],
    queryFn: async () => (await web.POST(ADDRESS)).data ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const form = useForm({
    initial: { code: '' },
    submit: async (body) => {
      const confirmed = await web.PUT(ADDRESS, { body });
      await onDone(confirmed.data?.recovery_codes ?? null);
    },
  });
  if (error !== null) return <ProblemPanel problem={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <p>{t('settings.security.otpScan')}</p>
      <img
        className={styles.qrCode}
        alt={t('settings.security.otpImage')}
        src={`data:image/svg+xml,${encodeURIComponent(data.qr_code)}`}
      />
      <p>
        <Value value={data.secret} /> <CopyButton value={data.secret} plain />
      </p>
      <Form form={form} label={t('settings.security.otpSetUp')} submitLabel={t('settings.security.otpConfirm')}>
        <TextField
          label={t('shell.signIn.otp')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          {...form.field('code')}
        />
      </Form>
    </>
  );
}
