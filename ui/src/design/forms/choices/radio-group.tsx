import { Radio } from '@base-ui/react/radio';
import { RadioGroup as Base } from '@base-ui/react/radio-group';
import { type ReactElement, useId } from 'react';
import { Field, type FieldProps } from '../field.tsx';
import type { Option } from './options.ts';
import styles from './toggle.module.css';

export interface RadioGroupProps<Value extends string> extends FieldProps {
  readonly options: readonly Option<Value>[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean | undefined;
  /** True to draw the options in one line. */
  readonly inline?: boolean | undefined;
}

/** Draws a choice of one among options that are all seen. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>): ReactElement {
  const { label, labelHidden, hint, error, name, optional, options, value, onChange, disabled, inline } = props;
  const id = useId();
  return (
    <Field {...{ label, labelHidden, hint, error, name, optional }} group>
      {(attributes) => (
        <Base
          {...attributes}
          name={name}
          value={value ?? null}
          onValueChange={(next) => next !== null && onChange(next)}
          disabled={disabled}
          className={`${styles.options} ${inline ? styles.inline : ''}`}
        >
          {options.map((option, index) => (
            // biome-ignore lint/a11y/noLabelWithoutControl: the control is the radio inside.
            <label key={option.value} className={styles.line}>
              <Radio.Root
                value={option.value}
                disabled={option.disabled}
                className={styles.radio}
                aria-labelledby={`${id}-${index}`}
              >
                <Radio.Indicator className={styles.dot} />
              </Radio.Root>
              <span id={`${id}-${index}`}>
                {option.label}
                {option.detail && <span className={styles.detail}> {option.detail}</span>}
              </span>
            </label>
          ))}
        </Base>
      )}
    </Field>
  );
}
