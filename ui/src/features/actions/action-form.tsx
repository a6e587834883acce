import { useQueryClient } from '@tanstack/react-query';
import { Value } from '../../design/data/values/value.tsx';
import { Checkbox } from '../../design/forms/choices/checkbox.tsx';
import { Form } from '../../design/forms/form.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useDraftName } from '../saved/draft-name.ts';
import { useSavedForm } from '../saved/form/use-saved-form.tsx';
import type { SavedObject } from '../saved/form/write-members.ts';
import { QueryField } from '../saved/query-field.tsx';
import {
  type Action,
  type ActionChange,
  actionsKey,
  changeAction,
  createAction,
  readAction,
  TRIGGERS,
  type Trigger,
} from './action-api.ts';
import type { ActionRights } from './action-rights.ts';
import { operationName, operationWords } from './action-words.ts';
import styles from './actions.module.css';
import {
  type ChosenOperation,
  type OperationSpecification,
  readOperation,
  storedOperation,
} from './operation-arguments.ts';
import { OperationList } from './operation-list.tsx';
import { RunSection } from './run-section.tsx';

interface Props {
  /** Undefined: a new one. */
  readonly action: Action | undefined;
  /** The query that a new one begins with. */
  readonly query?: string | undefined;
  readonly specifications: readonly OperationSpecification[];
  readonly rights: ActionRights;
  readonly roles: readonly string[];
  readonly onCreated: (id: string) => void;
}

type Values = Omit<ActionChange, 'operations'> & { readonly operations: readonly ChosenOperation[] };

function changeOf(values: Values): ActionChange {
  return { ...values, operations: values.operations.map(storedOperation) };
}

const valuesOf = ({ name, query, triggers, operations }: Action): Values => ({
  name,
  query,
  triggers,
  operations: operations.map(readOperation),
});

const storedAction = ({ action_id: id }: Action): SavedObject<Action, Values> => ({
  valuesOf,
  read: () => readAction(id),
  write: (wanted, present, headers) => changeAction(id, changeOf(wanted), changeOf(present), headers),
});

/** Draws the form of an action, and its trial and run with what the form shows. */
export function ActionForm({ action, query = '', specifications, rights, roles, onCreated }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { form, question } = useSavedForm({
    draft: useDraftName('action', action?.action_id),
    initial: action === undefined ? { name: '', query, triggers: [], operations: [] } : valuesOf(action),
    validate: (values) => ({
      name: values.name.trim() === '' ? t('common.required') : undefined,
      query: values.query.trim() === '' ? t('common.required') : undefined,
      operations: values.operations.length === 0 ? t('actions.stepsEmpty') : undefined,
    }),
    object: action && storedAction(action),
    create: (values) => createAction(changeOf(values)),
    onSaved: async (saved) => {
      showToast(t(action === undefined ? 'actions.created' : 'actions.saved', { name: saved.name }));
      await queryClient.invalidateQueries({ queryKey: actionsKey });
      if (action === undefined) onCreated(saved.action_id);
    },
    names: {
      ...{ name: t('common.name'), query: t('actions.query') },
      ...{ triggers: t('actions.triggers'), operations: t('actions.steps') },
    },
    wordsOf: (member, value) => {
      if (!Array.isArray(value)) return value;
      if (member === 'triggers') return value.map((trigger: Trigger) => t(`actions.trigger.${trigger}`));
      return member === 'operations' ? value.map((one: ChosenOperation) => operationWords(t, one)) : value;
    },
  });
  const { values } = form;
  const isLocked = !rights.mayChange;
  const fields = (
    <>
      <TextField
        label={t('common.name')}
        disabled={isLocked}
        autoFocus={action === undefined}
        {...form.field('name')}
      />
      {isLocked ? (
        <div className={styles.query}>
          <span className={styles.label}>{t('actions.query')}</span>
          <Value value={values.query} copy />
        </div>
      ) : (
        <QueryField label={t('actions.query')} hint={t('actions.queryHint')} {...form.field('query')} />
      )}
      <OperationList
        {...form.field('operations')}
        operations={values.operations}
        {...{ specifications, roles }}
        disabled={isLocked}
      />
      <Triggers
        {...form.field('triggers')}
        operations={values.operations}
        specifications={specifications}
        disabled={isLocked || !rights.mayTrigger}
        hint={t(isLocked || rights.mayTrigger ? 'actions.triggersHint' : 'actions.triggersRefused')}
      />
    </>
  );
  return (
    <>
      <section className={styles.section} aria-label={t('actions.form')}>
        {isLocked && (
          <p className={styles.hint}>
            {rights.mayCreate ? t('actions.readOnly', { owner: action?.owner }) : t('actions.editRefused')}
          </p>
        )}
        {isLocked ? (
          fields
        ) : (
          <Form
            form={form}
            label={t('actions.form')}
            submitLabel={t(action === undefined ? 'common.create' : 'common.save')}
            allowUnchanged={action === undefined}
          >
            {fields}
          </Form>
        )}
      </section>
      {question}
      {rights.mayRun && (
        <RunSection query={values.query} operations={values.operations} {...{ specifications, roles }} />
      )}
    </>
  );
}

interface TriggersProps {
  readonly value: readonly Trigger[];
  readonly onChange: (triggers: readonly Trigger[]) => void;
  readonly operations: readonly ChosenOperation[];
  readonly specifications: readonly OperationSpecification[];
  readonly disabled: boolean;
  readonly hint: string;
}

function Triggers({ value, onChange, operations, specifications, disabled, hint }: TriggersProps) {
  const { t } = useTranslation();
  const unfit = operations.flatMap(({ id }) => {
    const specification = specifications.find((one) => one.id === id);
    const missing = value.filter((trigger) => specification?.triggers.includes(trigger) === false);
    return missing.length === 0 ? [] : [{ id, specification, missing }];
  });
  return (
    <fieldset className={styles.choices}>
      <legend>{t('actions.triggers')}</legend>
      {TRIGGERS.map((trigger) => (
        <Checkbox
          key={trigger}
          label={t(`actions.trigger.${trigger}`)}
          value={value.includes(trigger)}
          disabled={disabled}
          onChange={(isChosen) =>
            onChange(TRIGGERS.filter((one) => (one === trigger ? isChosen : value.includes(one))))
          }
        />
      ))}
      <p className={styles.note}>{hint}</p>
      {unfit.map(({ id, specification, missing }) => (
        <p key={id} className={styles.failed}>
          {t('actions.triggersUnfit', {
            operation: operationName(t, id, specification),
            triggers: missing.map((trigger) => t(`actions.trigger.${trigger}`)).join(', '),
          })}
        </p>
      ))}
    </fieldset>
  );
}
