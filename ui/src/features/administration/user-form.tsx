import { useQueryClient } from '@tanstack/react-query';
import { operations } from '../../api/clients.ts';
import type { components } from '../../api/generated/operations.ts';
import { Checkbox } from '../../design/forms/choices/checkbox.tsx';
import { ClassificationField } from '../../design/forms/choices/classification-field.tsx';
import { MultiCombobox } from '../../design/forms/choices/multi-combobox.tsx';
import { Form } from '../../design/forms/form.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useOperation } from './reading.tsx';

type Account = components['schemas']['Account'];

interface Props {
  /** The account to change; undefined: a new one. */
  readonly account?: Account | undefined;
  /** Called with the random password of a new account. */
  readonly onSaved: (password: string | null | undefined) => void;
}

/** Creates an account, or changes one. Only changed members are sent. */
export function UserForm({ account, onSaved }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const choices = useOperation(['user-types'], (signal) => operations.GET('/v1/user-types', { signal })).data;
  const initial = {
    username: '',
    name: account?.name ?? '',
    email: account?.email ?? '',
    classification: account?.classification ?? '',
    types: (account?.types ?? ['user']) as readonly string[],
    analysis_types: (account?.analysis_types ?? []) as readonly string[],
    roles: (account?.roles ?? []) as readonly string[],
    is_active: account?.is_active ?? true,
  };
  const form = useForm({
    initial,
    submit: async ({ username, ...values }) => {
      const changed = Object.entries(values).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name as keyof typeof initial]),
      );
      const body = Object.fromEntries(changed.map(([name, value]) => [name, value === '' ? null : value]));
      const path = { username: account?.username ?? username };
      const made = account === undefined ? await create(path, body) : await change(path, body);
      await queryClient.invalidateQueries({ queryKey: ['operations', 'users'] });
      onSaved(made);
    },
  });
  const options = (names: readonly string[] = []) => names.map((value) => ({ value, label: value }));
  return (
    <Form
      form={form}
      label={t(account === undefined ? 'administration.users.create' : 'common.edit')}
      submitLabel={t(account === undefined ? 'common.create' : 'common.save')}
    >
      {account === undefined ? (
        <TextField label={t('administration.users.username')} required autoFocus data {...form.field('username')} />
      ) : null}
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
    </Form>
  );
}

type Path = { readonly username: string };

/** Returns the random password of the new account. */
async function create(path: Path, body: Readonly<Record<string, unknown>>) {
  return (await operations.POST('/v1/users/{username}', { params: { path }, body })).data?.password;
}

async function change(path: Path, body: Readonly<Record<string, unknown>>) {
  await operations.PATCH('/v1/users/{username}', { params: { path }, body });
  return undefined;
}
