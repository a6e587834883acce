import { Combobox as Base } from '@base-ui/react/combobox';
import { X } from 'lucide-react';
import { type ReactElement, type Ref, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import styles from '../field.module.css';
import { Field } from '../field.tsx';
import own from './combobox.module.css';
import type { ComboboxProps } from './combobox.tsx';
import { ComboboxPopup } from './combobox-popup.tsx';
import { type Option, optionOf } from './options.ts';
import { useOptionFilter } from './use-option-filter.ts';

export interface MultiComboboxProps extends Omit<ComboboxProps, 'value' | 'onChange'> {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly ref?: Ref<HTMLInputElement> | undefined;
}

/** Draws a choice of any number of options, each a chip that can be removed. */
export function MultiCombobox(props: MultiComboboxProps): ReactElement {
  const { label, labelHidden, hint, error, name, optional, value, onChange, placeholder, disabled, data, ref } = props;
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const { shown, left } = useOptionFilter(props, query, value);
  const chosen = value.map((one) => optionOf(props.options, one));
  return (
    <Field {...{ label, labelHidden, hint, error, name, optional }}>
      {({ id, ...attributes }) => (
        <Base.Root<Option, true>
          multiple
          items={shown}
          filter={null}
          value={chosen}
          isItemEqualToValue={(one, other) => one.value === other.value}
          onValueChange={(options) => onChange(options.map((option) => option.value))}
          inputValue={query}
          onInputValueChange={(text) => {
            setQuery(text);
            props.onQuery?.(text);
          }}
          disabled={disabled}
          autoHighlight
        >
          <Base.Chips ref={box} className={`${styles.control} ${own.chips} ${data ? styles.data : ''}`}>
            {chosen.map((option) => (
              <Base.Chip key={option.value} className={own.chip} aria-label={option.label}>
                <span className={own.chipWords}>{option.label}</span>
                <Base.ChipRemove className={own.remove} aria-label={t('design.remove', { value: option.label })}>
                  <X size={16} aria-hidden />
                </Base.ChipRemove>
              </Base.Chip>
            ))}
            <Base.Input
              ref={ref}
              id={id}
              {...attributes}
              placeholder={value.length === 0 ? placeholder : undefined}
              spellCheck={false}
            />
          </Base.Chips>
          <ComboboxPopup label={label} left={left} anchor={box} />
        </Base.Root>
      )}
    </Field>
  );
}
