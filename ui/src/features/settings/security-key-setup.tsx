import { web } from '../../api/clients.ts';
import { Form } from '../../design/forms/form.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { registrationOf } from '../../shell/sign-in/second-factor.ts';

/** Asks for a name and registers the key that the browser then asks for. */
export function SecurityKeySetup({ onDone }: { onDone: (codes: readonly string[] | null) => Promise<void> }) {
  const { t } = useTranslation();
  const form = useForm({
    initial: { name: '' },
    submit: async ({ name }) => {
      const { data: options } = await web.POST('/session/second-factors/security-keys/challenge');
      const answer = await registrationOf(options);
      if (answer === undefined) return;
      const { data } = await web.POST('/session/second-factors/security-keys', { body: { name, answer } });
      await onDone(data?.recovery_codes ?? null);
    },
  });
  return (
    <Form form={form} label={t('settings.security.addKey')} submitLabel={t('settings.security.register')}>
      <TextField label={t('settings.security.keyName')} required autoFocus {...form.field('name')} />
    </Form>
  );
}
