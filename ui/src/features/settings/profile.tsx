import { useQueryClient } from '@tanstack/react-query';
import { alerts } from '../../api/clients.ts';
import { live } from '../../api/live.ts';
import { ApiProblem } from '../../api/problem.ts';
import { openSession } from '../../api/session.ts';
import { ClassificationMark } from '../../design/data/marks/classification-marks.tsx';
import { Avatar } from '../../design/data/values/avatar.tsx';
import { Tags } from '../../design/data/values/tags.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { Form } from '../../design/forms/form.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { showToast } from '../../design/overlays/toasts.ts';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { accountQuery, useAccount } from '../../shell/session-context.tsx';
import { resizedPicture } from './picture.ts';
import styles from './settings.module.css';

/** Name, picture, roles and password of the own account. */
export function Profile() {
  const { t } = useTranslation();
  const { data: account, error, refetch } = useAccount();
  const queryClient = useQueryClient();
  if (account === undefined)
    return error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />;
  const { username } = account;
  const change = async (body: { avatar?: string; new_pass?: string }) => {
    await alerts.PUT('/api/v1/user/{username}', { params: { path: { username } }, body });
    // A new password ends all sessions, this one too. With a second factor, the page asks for it in place.
    if (body.new_pass !== undefined) await signInAgain(username, body.new_pass);
    await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
  };
  const setPicture = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      await change({ avatar: await resizedPicture(file) });
    } catch (problem) {
      showToast(problem instanceof Error ? problem.message : String(problem), { kind: 'problem' });
    }
  };
  return (
    <div className={styles.sections}>
      <section className={styles.section} aria-labelledby="settings-profile">
        <h2 id="settings-profile">{t('settings.tabs.profile')}</h2>
        <div className={styles.person}>
          <Avatar name={account.name} picture={account.avatar} size="large" />
          <label className={styles.picture}>
            {t('settings.profile.picture')}
            <input
              type="file"
              accept="image/png,image/jpeg,image/webp"
              onChange={({ target }) => void setPicture(target.files?.[0])}
            />
          </label>
        </div>
        <dl className={styles.facts}>
          <dt>{t('settings.profile.username')}</dt>
          <dd>
            <Value value={account.username} copy />
          </dd>
          <dt>{t('common.name')}</dt>
          <dd>{account.name}</dd>
          <dt>{t('settings.profile.email')}</dt>
          <dd>
            <Value value={account.email} />
          </dd>
          <dt>{t('settings.profile.roles')}</dt>
          <dd>
            <Tags values={account.roles} />
          </dd>
          <dt>{t('settings.profile.clearance')}</dt>
          <dd>
            <ClassificationMark value={account.classification} />
          </dd>
        </dl>
      </section>
      <PasswordForm change={change} />
    </div>
  );
}

async function signInAgain(user: string, password: string): Promise<void> {
  try {
    await openSession({ method: 'password', user, password });
    live.reconnect();
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
  }
}

function PasswordForm({ change }: { change: (body: { new_pass: string }) => Promise<void> }) {
  const { t } = useTranslation();
  const form = useForm({
    initial: { password: '', repeated: '' },
    validate: ({ password, repeated }) =>
      password === repeated ? {} : { repeated: t('settings.profile.differentPasswords') },
    submit: async ({ password }) => {
      await change({ new_pass: password });
      form.reset({ password: '', repeated: '' });
      showToast(t('settings.profile.passwordChanged'));
    },
  });
  return (
    <section className={styles.section} aria-labelledby="settings-password">
      <h2 id="settings-password">{t('settings.profile.password')}</h2>
      <Form form={form} label={t('settings.profile.password')} submitLabel={t('settings.profile.changePassword')}>
        <TextField
          label={t('settings.profile.newPassword')}
          type="password"
          autoComplete="new-password"
          required
          {...form.field('password')}
        />
        <TextField
          label={t('settings.profile.repeatPassword')}
          type="password"
          autoComplete="new-password"
          required
          {...form.field('repeated')}
        />
      </Form>
    </section>
  );
}
