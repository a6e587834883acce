import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from '../../i18n/translation.ts';
import { Button } from '../controls/button.tsx';
import { ProblemPanel } from '../states/problem-panel.tsx';
import styles from './form.module.css';
import type { Form as FormState } from './use-form.ts';

export interface FormProps<Values extends object> {
  readonly form: FormState<Values>;
  /** The name of the form for screen readers. */
  readonly label: string;
  readonly submitLabel: string;
  /** Draws a Cancel button. */
  readonly onCancel?: (() => void) | undefined;
  /** True where an unchanged form may be sent, for example to create with the defaults. */
  readonly allowUnchanged?: boolean | undefined;
  readonly children: ReactNode;
}

/** Draws the fields of a form below each other, its failure, and its buttons. */
export function Form<Values extends object>(props: FormProps<Values>): ReactElement {
  const { form, label, submitLabel, onCancel, allowUnchanged, children } = props;
  const { t } = useTranslation();
  return (
    <form aria-label={label} className={styles.form} onSubmit={form.submit} noValidate>
      {form.isRestored && (
        <div className={styles.draft} role="status">
          <span>{t('common.draft')}</span>
          <Button kind="quiet" onClick={() => form.reset()}>
            {t('common.discardDraft')}
          </Button>
        </div>
      )}
      {children}
      {form.problem !== undefined && <ProblemPanel problem={form.problem} />}
      <div className={styles.buttons}>
        {onCancel && <Button onClick={onCancel}>{t('common.cancel')}</Button>}
        <Button
          type="submit"
          kind="primary"
          busy={form.isSubmitting}
          disabled={!allowUnchanged && !form.isDirty && !form.isSubmitting}
        >
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** Draws fields side by side where there is room. */
export function FormRow({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className={styles.row}>{children}</div>;
}
