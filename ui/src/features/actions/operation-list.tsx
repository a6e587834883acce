import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { IconButton } from '../../design/controls/icon-button.tsx';
import { Select } from '../../design/forms/choices/select.tsx';
import { FieldError } from '../../design/forms/field.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { operationName } from './action-words.ts';
import styles from './actions.module.css';
import { ArgumentField } from './argument-field.tsx';
import {
  askedArguments,
  type ChosenOperation,
  type Given,
  type OperationSpecification,
  withArgument,
} from './operation-arguments.ts';

interface Props {
  readonly operations: readonly ChosenOperation[];
  readonly onChange: (operations: readonly ChosenOperation[]) => void;
  readonly specifications: readonly OperationSpecification[];
  readonly roles: readonly string[];
  readonly disabled: boolean;
  readonly error: string | undefined;
}

/** Draws the operations of an action with their arguments; each kind is there at most once. */
export function OperationList({ operations, onChange, specifications, roles, disabled, error }: Props) {
  const { t } = useTranslation();
  const errorId = useId();
  const [additions, setAdditions] = useState(0);
  const left = specifications.filter(({ id }) => !operations.some((operation) => operation.id === id));
  return (
    <div className={styles.section} data-at="operations">
      <h2>{t('actions.steps')}</h2>
      {operations.length === 0 && <p className={styles.hint}>{t('actions.stepsEmpty')}</p>}
      <ol className={styles.steps}>
        {operations.map(({ id, given }) => (
          <Step
            key={id}
            id={id}
            given={given}
            specification={specifications.find((one) => one.id === id)}
            roles={roles}
            disabled={disabled}
            onChange={(next) => onChange(operations.map((one) => (one.id === id ? { id, given: next } : one)))}
            onRemove={() => onChange(operations.filter((one) => one.id !== id))}
          />
        ))}
      </ol>
      {!disabled && left.length > 0 && (
        <div className={styles.picker}>
          <Select
            // A new one after each choice: it adds and keeps nothing.
            key={additions}
            label={t('actions.addStep')}
            labelHidden
            placeholder={t('actions.addStep')}
            options={left.map((one) => ({ value: one.id, label: operationName(t, one.id, one) }))}
            value={undefined}
            onChange={(id) => {
              setAdditions(additions + 1);
              onChange([...operations, { id, given: {} }]);
            }}
          />
        </div>
      )}
      <FieldError id={errorId} error={error} />
    </div>
  );
}

interface StepProps {
  readonly id: string;
  readonly given: Given;
  readonly specification: OperationSpecification | undefined;
  readonly roles: readonly string[];
  readonly disabled: boolean;
  readonly onChange: (given: Given) => void;
  readonly onRemove: () => void;
}

function Step({ id, given, specification, roles, disabled, onChange, onRemove }: StepProps) {
  const { t } = useTranslation();
  const name = operationName(t, id, specification);
  const isAllowed =
    specification === undefined || roles.includes('admin') || specification.roles.some((role) => roles.includes(role));
  return (
    <li className={styles.step}>
      <div className={styles.stepHead}>
        <h3>{name}</h3>
        {!disabled && <IconButton small icon={Trash2} label={t('actions.removeStep', { name })} onClick={onRemove} />}
      </div>
      {specification === undefined ? (
        <p className={styles.failed}>{t('actions.unknownStep')}</p>
      ) : (
        <div className={styles.fields}>
          {askedArguments(specification, given).map((argument) => (
            <ArgumentField
              key={argument.name}
              argument={argument}
              given={given}
              disabled={disabled}
              onChange={(value) => onChange(withArgument(specification, given, argument.name, value))}
            />
          ))}
        </div>
      )}
      {isAllowed ? null : (
        <p className={styles.failed}>{t('actions.stepRefused', { roles: specification?.roles.join(', ') })}</p>
      )}
    </li>
  );
}
