import { alerts, dataOf } from '../../api/clients.ts';
import { CopyButton } from '../../design/data/values/copy-button.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { Checkbox } from '../../design/forms/choices/checkbox.tsx';
import { Form } from '../../design/forms/form.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useConfiguration, useSession } from '../../shell/session-context.tsx';
import { keyCommand, type NewApiKey } from './key-command.ts';
import styles from './settings.module.css';

interface Props {
  readonly onCreated: (key: NewApiKey) => Promise<void>;
  readonly onCancel: () => void;
}

/** Asks for name, privileges, at most those of the session, and expiry of a new key. */
export function ApiKeyForm({ onCreated, onCancel }: Props) {
  const { t } = useTranslation();
  const { privileges } = useSession().session;
  const isExtendedOn = useConfiguration().data?.configuration.auth.allow_extended_apikeys === true;
  const allowsExtended = isExtendedOn && privileges.includes('E');
  const form = useForm({
    initial: { name: '', read: true, write: false, extended: false, impersonate: false, agents: '', expiry: '' },
    validate: ({ read, write, extended, impersonate, agents, expiry }) => ({
      read: read || write || extended || impersonate ? undefined : t('settings.keys.noPrivilege'),
      expiry: expiry !== '' && endOf(expiry).getTime() < Date.now() ? t('settings.keys.isOver') : undefined,
      agents: impersonate && namesIn(agents).length === 0 ? t('settings.keys.noAgent') : undefined,
    }),
    submit: async ({ name, read, write, extended, impersonate, agents, expiry }) => {
      const letters = { R: read, W: write, E: extended, I: impersonate };
      const priv = Object.entries(letters).flatMap(([letter, isChosen]) => (isChosen ? [letter] : []));
      const named = impersonate ? namesIn(agents) : undefined;
      const body = {
        name,
        priv,
        ...(named === undefined ? {} : { agents: named }),
        ...(expiry === '' ? {} : { expiry_date: endOf(expiry).toISOString() }),
      };
      const { apikey } = await dataOf(alerts.POST('/api/v1/auth/apikey', { body }));
      await onCreated({ secret: apikey, agents: named });
    },
  });
  return (
    <Form form={form} label={t('settings.keys.create')} submitLabel={t('common.create')} onCancel={onCancel}>
      <TextField
        label={t('common.name')}
        hint={t('settings.keys.nameHint')}
        required
        autoFocus
        {...form.field('name')}
      />
      <fieldset className={styles.choices}>
        <legend>{t('settings.keys.privileges')}</legend>
        <Checkbox label={t('settings.keys.privilege.R')} {...form.field('read')} />
        {privileges.includes('W') ? <Checkbox label={t('settings.keys.privilege.W')} {...form.field('write')} /> : null}
        {allowsExtended ? <Checkbox label={t('settings.keys.privilege.E')} {...form.field('extended')} /> : null}
        <Checkbox label={t('settings.keys.privilege.I')} {...form.field('impersonate')} />
      </fieldset>
      {form.values.impersonate ? (
        <TextField
          label={t('settings.keys.agents')}
          hint={t('settings.keys.agentsHint')}
          data
          {...form.field('agents')}
        />
      ) : null}
      <TextField label={t('settings.keys.expires')} type="date" optional {...form.field('expiry')} />
    </Form>
  );
}

/** Shows the secret of a new key, this once, with a command that uses it. */
export function NewKey({ created }: { readonly created: NewApiKey }) {
  const { t } = useTranslation();
  const { session, services } = useSession();
  const command = keyCommand(services.alerts ?? '', session.username, created);
  return (
    <dl className={styles.facts}>
      <dt>{t('settings.keys.secret')}</dt>
      <dd>
        <Value value={created.secret} />
        <CopyButton value={created.secret} plain />
      </dd>
      <dt>curl</dt>
      <dd>
        <Value value={command} lines />
        <CopyButton value={command} plain />
      </dd>
    </dl>
  );
}

/** Returns the last second of a day, `2026-11-29`, in the reader's own zone. */
function endOf(day: string): Date {
  return new Date(`${day}T23:59:59`);
}

function namesIn(agents: string): string[] {
  return agents.split(/[\s,]+/).filter((one) => one !== '');
}
