import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { alerts } from '../../api/clients.ts';
import { live } from '../../api/live.ts';
import { ApiProblem, messageOf } from '../../api/problem.ts';
import { openSession } from '../../api/session.ts';
import { Button } from '../../design/controls/button.tsx';
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
import styles from './settings.module.css';

/** The members of their own account that users change. */
interface OwnChange {
  readonly name?: string;
  readonly avatar?: string;
  readonly new_pass?: string;
}

/** Removes the picture, in the place of one. */
const NO_PICTURE = 'DELETE';
/** Pixels of a side of a picture. */
const PICTURE_SIZE = 96;

/** Name, picture, roles and password of the own account. */
export function Profile() {
  const { t } = useTranslation();
  const { data: account, error, refetch } = useAccount();
  const queryClient = useQueryClient();
  const picture = useRef<HTMLInputElement>(null);
  if (account === undefined)
    return error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />;
  const { username } = account;
  const change = async (body: OwnChange) => {
    await alerts.PUT('/api/v1/user/{username}', { params: { path: { username } }, body: { ...body } });
    // A new password ends all sessions, this one too. With a second factor, the page asks for it in place.
    if (body.new_pass !== undefined) await signInAgain(username, body.new_pass);
    await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
  };
  const setPicture = async (file: File | undefined) => {
    try {
      await change({ avatar: file === undefined ? NO_PICTURE : await resizedPicture(file) });
    } catch (problem) {
      showToast(messageOf(problem), { kind: 'problem' });
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
              ref={picture}
              type="file"
              accept="image/png,image/jpeg,image/webp"
              onChange={({ target }) => {
                const file = target.files?.[0];
                if (file !== undefined) void setPicture(file);
                // The same file may be chosen again after it was removed.
                target.value = '';
              }}
            />
          </label>
          {account.avatar && (
            <Button
              onClick={() => {
                picture.current?.focus();
                void setPicture(undefined);
              }}
            >
              {t('settings.profile.removePicture')}
            </Button>
          )}
        </div>
        <dl className={styles.facts}>
          <dt>{t('settings.profile.username')}</dt>
          <dd>
            <Value value={account.username} copy />
          </dd>
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
        <NameForm name={account.name} change={change} />
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

interface FormProps {
  readonly change: (body: OwnChange) => Promise<void>;
}

function NameForm({ name, change }: FormProps & { readonly name: string }) {
  const { t } = useTranslation();
  const form = useForm({
    initial: { name },
    validate: (values) => (values.name.trim() === '' ? { name: t('common.required') } : {}),
    submit: async (values) => {
      await change(values);
      showToast(t('settings.profile.nameChanged'));
    },
  });
  return (
    <Form form={form} label={t('common.name')} submitLabel={t('settings.profile.changeName')}>
      <TextField label={t('common.name')} autoComplete="name" {...form.field('name')} />
    </Form>
  );
}

function PasswordForm({ change }: FormProps) {
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

/** Returns a picture cut to a square and made small, as a data URI that fits an account. */
async function resizedPicture(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  canvas.width = PICTURE_SIZE;
  canvas.height = PICTURE_SIZE;
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  canvas.getContext('2d')?.drawImage(bitmap, left, top, side, side, 0, 0, PICTURE_SIZE, PICTURE_SIZE);
  bitmap.close();
  return canvas.toDataURL('image/png');
}
