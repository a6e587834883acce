import { Search } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { flatten } from '../../../../design/data/structure/flatten.ts';
import { TextField } from '../../../../design/forms/text-field.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { Alert } from '../../triage/alert.ts';
import { FieldList } from '../fields/field-list.tsx';
import { matchingFields, recordOf } from '../fields/record-fields.ts';
import styles from './tabs.module.css';

/** Draws all fields of the record, narrowed by typing. */
export function FieldsTab({ alert }: { readonly alert: Alert }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const words = useDeferredValue(typed);
  const { fields, isCut } = useMemo(() => flatten(recordOf(alert)), [alert]);
  const shown = matchingFields(fields, words);
  return (
    <div className={styles.tab}>
      <TextField
        label={t('alert.fields.search')}
        labelHidden
        icon={Search}
        placeholder={t('alert.fields.search')}
        value={typed}
        onChange={setTyped}
      />
      <p role="status" className={styles.quiet}>
        {t('alert.fields.count', { count: shown.length })} {isCut && t('alert.fields.cut')}
      </p>
      <FieldList key={words} record={alert.howler.id} fields={shown} />
    </div>
  );
}
