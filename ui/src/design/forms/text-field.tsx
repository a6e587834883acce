import { Eye, EyeOff, type LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactElement, useState } from 'react';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './field.module.css';
import { Field, type FieldProps } from './field.tsx';
import revealStyles from './reveal.module.css';

type NativeProps = Omit<ComponentProps<'input'>, keyof FieldProps | 'value' | 'onChange' | 'className' | 'id'>;

export interface TextFieldProps extends FieldProps, NativeProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly icon?: LucideIcon | undefined;
  /** True for a value of data: mono font, no spelling, no completion by the browser. */
  readonly data?: boolean | undefined;
}

/** Draws one line of text with its label; `type="password"` can be shown by a button. */
export function TextField(props: TextFieldProps): ReactElement {
  const { label, labelHidden, hint, error, name, optional, value, onChange, icon: Icon, data, type, ...rest } = props;
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const asData = data ? ({ spellCheck: false, autoComplete: 'off', autoCapitalize: 'off' } as const) : {};
  const Reveal = isShown ? EyeOff : Eye;
  return (
    <Field {...{ label, labelHidden, hint, error, name, optional }}>
      {(attributes) => (
        <div className={`${styles.control} ${data ? styles.data : ''}`} data-disabled={rest.disabled || undefined}>
          {Icon && <Icon size={16} aria-hidden />}
          <input
            {...asData}
            {...rest}
            {...attributes}
            name={name}
            type={isShown ? 'text' : type}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          {type === 'password' && (
            <button
              type="button"
              className={revealStyles.reveal}
              aria-label={t('design.showPassword')}
              aria-pressed={isShown}
              onClick={() => setShown(!isShown)}
            >
              <Reveal size={16} aria-hidden />
            </button>
          )}
        </div>
      )}
    </Field>
  );
}
