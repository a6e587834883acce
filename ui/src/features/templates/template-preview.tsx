import { flatten } from '../../design/data/structure/flatten.ts';
import { Value } from '../../design/data/values/value.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { recordOf, valuesOf } from '../alerts/alert/fields/record-fields.ts';
import type { Alert } from '../alerts/triage/alert.ts';
import styles from '../saved/saved.module.css';

const MAX_VALUES = 20;

/** Draws the fields of a template on an alert, and says which of them it lacks. */
export function TemplatePreview({ alert, keys }: { readonly alert: Alert; readonly keys: readonly string[] }) {
  const { t } = useTranslation();
  const fields = new Map(flatten(recordOf(alert)).fields.map((field) => [field.field, field]));
  return (
    <dl className={styles.facts}>
      {keys.map((key) => {
        const field = fields.get(key);
        return (
          <div key={key} className={styles.fact}>
            <dt>
              <Value value={key} isName />
            </dt>
            <dd>
              {field === undefined ? (
                <span className={styles.quiet}>{t('templates.absent')}</span>
              ) : (
                valuesOf(field)
                  .slice(0, MAX_VALUES)
                  // biome-ignore lint/suspicious/noArrayIndexKey: a list may hold a value twice.
                  .map((value, index) => <Value key={index} value={value} />)
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
