import { useQueryClient } from '@tanstack/react-query';
import { operations } from '../../api/clients.ts';
import type { components } from '../../api/generated/operations.ts';
import { Checkbox } from '../../design/forms/choices/checkbox.tsx';
import { ClassificationField } from '../../design/forms/choices/classification-field.tsx';
import { MultiCombobox } from '../../design/forms/choices/multi-combobox.tsx';
import { Form } from '../../design/forms/form.tsx';
import { changedMembers } from '../../design/forms/form-state.ts';
import { TextField } from '../../design/forms/text-field.tsx';
import { type Form as FormState, useForm } from '../../design/forms/use-form.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useSavedForm } from '../saved/form/use-saved-form.tsx';
import type { SavedObject } from '../saved/form/write-members.ts';
import { useOperation } from './reading.tsx';

type Account = components['schemas']['Account'];
type AccountDetails = components['schemas']['AccountDetails'];
type AccountValues = ReturnType<typeof valuesOf>;

function valuesOf(account: Account | undefined) {
  return {
    name: account?.name ?? '',
    email: account?.email ?? '',
    classification: account?.classification ?? '',
    types: (account?.types ?? ['user']) as readonly string[],
    analysis_types: (account?.analysis_types ?? []) as readonly string[],
    roles: (account?.roles ?? []) as readonly string[],
    is_active: account?.is_active ?? true,
  };
}

/** Returns the body of a request with the values that differ from others; an empty string is null. */
function changesOf(values: AccountValues, before: AccountValues): Readonly<Record<string, unknown>> {
  const changed = Object.entries(changedMembers(values, before));
  return Object.fromEntries(changed.map(([name, value]) => [name, value === '' ? null : value]));
}

const storedAccount = (username: string): SavedObject<AccountDetails, AccountValues> => {
  const params = { path: { username } };
  return {
    valuesOf,
    read: async () => {
      const { data } = await operations.GET('/v1/users/{username}', { params });
      return { data: data as AccountDetails, version: undefined };
    },
    write: async (wanted, present) => {
      const body = changesOf(wanted, present);
      const { data } = await operations.PATCH('/v1/users/{username}', { params, body });
      return data as AccountDetails;
    },
  };
};

/**
 * Changes an account. Only changed members are sent, so that what another administrator changed
 * meanwhile stays.
 */
export function UserForm({ account, onSaved }: { readonly account: AccountDetails; readonly onSaved: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { form, question } = useSavedForm({
    initial: valuesOf(account),
    object: storedAccount(account.username),
    onSaved: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['operations', 'users'] }),
        queryClient.invalidateQueries({ queryKey: ['operations', 'user', account.username] }),
      ]);
      onSaved();
    },
    names: {
      ...{ name: t('common.name'), email: t('administration.users.email'), types: t('administration.users.types') },
      ...{ analysis_types: t('administration.users.analysisTypes'), roles: t('administration.users.roles') },
      ...{ classification: t('administration.users.clearance'), is_active: t('administration.users.active') },
    },
  });
  return (
    <>
      <Form form={form} label={t('common.edit')} submitLabel={t('common.save')}>
        <AccountFields form={form} />
      </Form>
      {question}
    </>
  );
}

const NEW_ACCOUNT = { username: '', ...valuesOf(undefined) };

/** Creates an account. @param onCreated called with its random password */
export function NewUserForm({ onCreated }: { readonly onCreated: (password: string | undefined) => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm({
    initial: NEW_ACCOUNT,
    submit: async ({ username, ...values }) => {
      const params = { path: { username } };
      const body = changesOf(values, NEW_ACCOUNT);
      const { data } = await operations.POST('/v1/users/{username}', { params, body });
      await queryClient.invalidateQueries({ queryKey: ['operations', 'users'] });
      onCreated(data?.password ?? undefined);
    },
  });
  return (
    <Form form={form} label={t('administration.users.create')} submitLabel={t('common.create')}>
      <TextField label={t('administration.users.username')} required autoFocus data {...form.field('username')} />
      <AccountFields form={form} />
    </Form>
  );
}

function AccountFields({ form }: { readonly form: Pick<FormState<AccountValues>, 'field'> }) {
  const { t } = useTranslation();
  const choices = useOperation(['user-types'], (signal) => operations.GET('/v1/user-types', { signal })).data;
  const options = (names: readonly string[] = []) => names.map((value) => ({ value, label: value }));
  return (
    <>
      <TextField label={t('common.name')} {...form.field('name')} />
      <TextField label={t('administration.users.email')} type="email" optional {...form.field('email')} />
      <MultiCombobox
        label={t('administration.users.types')}
        options={options(choices?.types)}
        {...form.field('types')}
      />
      <MultiCombobox
        label={t('administration.users.analysisTypes')}
        options={options(choices?.analysis_types)}
        {...form.field('analysis_types')}
      />
      <MultiCombobox
        label={t('administration.users.roles')}
        hint={t('administration.users.rolesHint')}
        options={options(choices?.roles)}
        optional
        {...form.field('roles')}
      />
      <ClassificationField
        label={t('administration.users.clearance')}
        hint={t('administration.users.clearanceHint')}
        {...form.field('classification')}
      />
      <Checkbox label={t('administration.users.active')} {...form.field('is_active')} />
    </>
  );
}
