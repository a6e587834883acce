import { useMutation, useQueryClient } from '@tanstack/react-query';
import { UserName } from '../../design/data/values/user-name.tsx';
import { MultiCombobox } from '../../design/forms/choices/multi-combobox.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useUserOptions } from '../users/use-user-options.ts';
import { type Action, actionsKey, changeAdministrators } from './action-api.ts';
import styles from './actions.module.css';

interface Props {
  readonly action: Action;
  readonly disabled: boolean;
}

/** Draws who may change an action; each choice is stored at once. */
export function ActionPeople({ action: { action_id: id, owner, admins }, disabled }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { options, onQuery } = useUserOptions();
  const change = useMutation({
    mutationFn: (next: readonly string[]) =>
      changeAdministrators(id, {
        given: next.filter((one) => !admins.includes(one)),
        taken: admins.filter((one) => !next.includes(one)),
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: actionsKey }),
  });
  return (
    <section className={styles.section} aria-labelledby="action-people">
      <h2 id="action-people">{t('actions.people.title')}</h2>
      <p className={styles.hint}>
        {t('actions.owner')}: <UserName user={owner} />
      </p>
      <MultiCombobox
        label={t('actions.people.admins')}
        hint={t('actions.people.hint')}
        options={options.map(({ value, label }) => ({ value, label: value, detail: label }))}
        value={change.isPending ? change.variables : admins}
        onChange={(next) => change.mutate(next)}
        onQuery={onQuery}
        disabled={disabled || change.isPending}
        data
      />
      {change.error === null ? null : <ProblemPanel problem={change.error} />}
    </section>
  );
}
