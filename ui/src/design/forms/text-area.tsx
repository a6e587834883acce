import type { ComponentProps, ReactElement } from 'react';
import styles from './field.module.css';
import { Field, type FieldProps } from './field.tsx';

type NativeProps = Omit<ComponentProps<'textarea'>, keyof FieldProps | 'value' | 'onChange' | 'className' | 'id'>;

export interface TextAreaProps extends FieldProps, NativeProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** True for data: mono font, no spelling. */
  readonly data?: boolean | undefined;
}

/** Draws several lines of text with their label. */
export function TextArea(props: TextAreaProps): ReactElement {
  const { label, labelHidden, hint, error, name, optional, value, onChange, data, ...rest } = props;
  return (
    <Field {...{ label, labelHidden, hint, error, name, optional }}>
      {(attributes) => (
        <textarea
          rows={4}
          spellCheck={!data}
          {...rest}
          {...attributes}
          name={name}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={`${styles.control} ${data ? styles.data : ''}`}
        />
      )}
    </Field>
  );
}
