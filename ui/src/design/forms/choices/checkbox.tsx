import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Check, Minus } from 'lucide-react';
import { type ReactElement, type ReactNode, type Ref, useId } from 'react';
import { VisuallyHidden } from '../../controls/visually-hidden.tsx';
import { FieldError } from '../field.tsx';
import styles from './toggle.module.css';

export interface ToggleProps {
  readonly label: string;
  readonly labelHidden?: boolean | undefined;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly name?: string | undefined;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  readonly disabled?: boolean | undefined;
  readonly ref?: Ref<HTMLElement> | undefined;
}

export interface CheckboxProps extends ToggleProps {
  /** True where some of what the box stands for is chosen. */
  readonly mixed?: boolean | undefined;
}

/** Draws a box to tick, its label at its side. */
export function Checkbox({ mixed, ...props }: CheckboxProps): ReactElement {
  const { value, onChange, disabled, name, ref } = props;
  const Mark = mixed ? Minus : Check;
  return (
    <ToggleLine {...props}>
      {(attributes) => (
        <Base.Root
          {...attributes}
          ref={ref}
          name={name}
          checked={value}
          indeterminate={mixed}
          onCheckedChange={onChange}
          disabled={disabled}
          className={styles.box}
        >
          <Base.Indicator className={styles.tick}>
            <Mark size={14} strokeWidth={3} aria-hidden />
          </Base.Indicator>
        </Base.Root>
      )}
    </ToggleLine>
  );
}

interface ToggleAttributes {
  readonly 'aria-labelledby': string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface ToggleLineProps extends ToggleProps {
  readonly children: (attributes: ToggleAttributes) => ReactNode;
}

/** Draws a control of two states with its label, hint and error; the label is part of the target. */
export function ToggleLine({ label, labelHidden, hint, error, name, children }: ToggleLineProps): ReactElement {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim();
  const words = <span id={`${id}-label`}>{label}</span>;
  return (
    <div className={styles.field} data-at={name}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is what `children` draws. */}
      <label className={styles.line}>
        {children({
          'aria-labelledby': `${id}-label`,
          'aria-describedby': described === '' ? undefined : described,
          'aria-invalid': error === undefined ? undefined : true,
        })}
        {labelHidden ? <VisuallyHidden>{words}</VisuallyHidden> : words}
      </label>
      {hint !== undefined && (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}
