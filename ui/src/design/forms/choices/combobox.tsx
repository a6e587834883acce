import { Combobox as Base } from '@base-ui/react/combobox';
import { ChevronDown, X } from 'lucide-react';
import { type ReactElement, type Ref, useState } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import styles from '../field.module.css';
import { Field, type FieldProps } from '../field.tsx';
import own from './combobox.module.css';
import { ComboboxPopup } from './combobox-popup.tsx';
import { type Option, optionOf } from './options.ts';
import { useOptionFilter } from './use-option-filter.ts';

export interface ComboboxProps extends FieldProps {
  /** All options, or those that a search found where `onQuery` is given. */
  readonly options: readonly Option[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** Hears what is typed and searches; without it the options are filtered here. */
  readonly onQuery?: ((query: string) => void) | undefined;
  /** True where a value that is not among the options may be added. */
  readonly allowNew?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** True for values of data, in the mono font. */
  readonly data?: boolean | undefined;
  readonly ref?: Ref<HTMLInputElement> | undefined;
}

/** Draws a choice of one among many options, narrowed by typing. */
export function Combobox(props: ComboboxProps): ReactElement {
  const { label, labelHidden, hint, error, name, optional, value, onChange, placeholder, disabled, data, ref } = props;
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const selected = value === undefined ? null : optionOf(props.options, value);
  // The label of the present choice stands in the input; it is not a search.
  const { shown, left } = useOptionFilter(
    props,
    query === selected?.label ? '' : query,
    value === undefined ? [] : [value],
  );
  return (
    <Field {...{ label, labelHidden, hint, error, name, optional }}>
      {({ id, ...attributes }) => (
        <Base.Root<Option>
          items={shown}
          filter={null}
          value={selected}
          isItemEqualToValue={(one, other) => one.value === other.value}
          onValueChange={(option) => onChange(option?.value)}
          onInputValueChange={(text) => {
            setQuery(text);
            props.onQuery?.(text);
          }}
          disabled={disabled}
          autoHighlight
        >
          <Base.InputGroup className={`${styles.control} ${styles.joined} ${data ? styles.data : ''}`}>
            <Base.Input ref={ref} id={id} {...attributes} placeholder={placeholder} spellCheck={false} />
            <Base.Clear className={own.button} aria-label={t('design.clear')}>
              <X size={16} aria-hidden />
            </Base.Clear>
            <Base.Trigger className={own.button} aria-label={t('design.openList')}>
              <ChevronDown size={16} aria-hidden />
            </Base.Trigger>
          </Base.InputGroup>
          <ComboboxPopup label={label} left={left} />
        </Base.Root>
      )}
    </Field>
  );
}
