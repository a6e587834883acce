import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import type { ReactElement, Ref } from 'react';
import popup from '../../overlays/popup.module.css';
import styles from '../field.module.css';
import { Field, type FieldProps } from '../field.tsx';
import type { Option } from './options.ts';
import own from './select.module.css';

export interface SelectProps<Value extends string> extends FieldProps {
  readonly options: readonly Option<Value>[];
  /** Undefined shows the placeholder. */
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
  readonly placeholder?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
}

/** Draws a choice of one among few options. Use a Combobox for more than about 15. */
export function Select<Value extends string>(props: SelectProps<Value>): ReactElement {
  const { label, labelHidden, hint, error, name, optional, options, value, onChange, placeholder, disabled, ref } =
    props;
  return (
    <Field {...{ label, labelHidden, hint, error, name, optional }}>
      {({ id, ...attributes }) => (
        <Base.Root
          items={options}
          value={value ?? null}
          onValueChange={(next) => next !== null && onChange(next)}
          disabled={disabled}
          name={name}
          id={id}
          modal={false}
        >
          <Base.Trigger ref={ref} {...attributes} className={`${styles.control} ${own.trigger}`}>
            <Base.Value className={own.value} placeholder={placeholder} />
            <Base.Icon className={popup.mark}>
              <ChevronDown size={16} aria-hidden />
            </Base.Icon>
          </Base.Trigger>
          <Base.Portal>
            <Base.Positioner sideOffset={2} alignItemWithTrigger={false} collisionPadding={4}>
              <Base.Popup className={popup.popup}>
                <Base.List className={popup.list}>
                  {options.map((option) => (
                    <Base.Item
                      key={option.value}
                      value={option.value}
                      disabled={option.disabled}
                      className={popup.item}
                    >
                      <span className={popup.mark}>
                        <Base.ItemIndicator>
                          <Check size={16} aria-hidden />
                        </Base.ItemIndicator>
                      </span>
                      <Base.ItemText className={popup.words}>{option.label}</Base.ItemText>
                      {option.detail && <span className={popup.detail}>{option.detail}</span>}
                    </Base.Item>
                  ))}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  );
}
