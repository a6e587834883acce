import { CircleAlert } from 'lucide-react';
import { type ReactElement, type ReactNode, useId } from 'react';
import { useTranslation } from '../../i18n/translation.ts';
import { VisuallyHidden } from '../controls/visually-hidden.tsx';
import styles from './field.module.css';

/** Properties that every control of a form takes. */
export interface FieldProps {
  readonly label: string;
  /** Keeps the label for screen readers alone, where the place says the same. */
  readonly labelHidden?: boolean | undefined;
  readonly hint?: ReactNode;
  /** The mistake in the value: one sentence. */
  readonly error?: string | undefined;
  /** Path of the value in what is sent; the `at` of an ApiProblem that names this control. */
  readonly name?: string | undefined;
  /** Says "optional" beside the label. */
  readonly optional?: boolean | undefined;
}

/** Attributes that tie a control to its label, hint and error. */
export interface FieldAttributes {
  readonly id: string;
  readonly 'aria-labelledby': string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

export interface CustomFieldProps extends FieldProps {
  /** Draws the control with the attributes. */
  readonly children: (attributes: FieldAttributes) => ReactNode;
  /** True for a group of controls, which no single label can point at. */
  readonly group?: boolean | undefined;
}

/** Draws label, hint and error around a control of any kind. */
export function Field(props: CustomFieldProps): ReactElement {
  const { label, labelHidden, hint, error, name, optional, group, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim();
  const words = (
    <>
      {label}
      {optional && <span className={styles.optional}> {t('common.optional')}</span>}
    </>
  );
  const attributes: FieldAttributes = {
    id,
    'aria-labelledby': `${id}-label`,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': error === undefined ? undefined : true,
  };
  const labelElement = group ? (
    <span id={`${id}-label`} className={styles.label}>
      {words}
    </span>
  ) : (
    <label id={`${id}-label`} htmlFor={id} className={styles.label}>
      {words}
    </label>
  );
  return (
    <div className={styles.field} data-at={name}>
      {labelHidden ? <VisuallyHidden>{labelElement}</VisuallyHidden> : labelElement}
      {children(attributes)}
      {hint !== undefined && (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

/** Draws the mistake in a value, with a shape beside the colour. */
export function FieldError({ id, error }: { readonly id: string; readonly error: string | undefined }): ReactNode {
  if (error === undefined) return undefined;
  return (
    <div id={id} className={styles.error}>
      <CircleAlert size={16} aria-hidden />
      <span>{error}</span>
    </div>
  );
}
