import { useState } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import type { FlatField } from '../../../../design/data/structure/flatten.ts';
import { Value } from '../../../../design/data/values/value.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { useConfiguration } from '../../../../shell/session-context.tsx';
import { ValueWithMenu } from '../values/value-with-menu.tsx';
import styles from './field-list.module.css';
import { valuesOf } from './record-fields.ts';

/** Fields and values that are drawn at first: more would stop the tab for a moment. */
const MAX_FIELDS = 300;
const MAX_VALUES = 20;

interface Props {
  /** Id of the record; the fields of another one are cut again. */
  readonly record: string;
  readonly fields: readonly FlatField[];
}

/** Draws fields with their values, each value with its menu. */
export function FieldList({ record, fields }: Props) {
  const { t } = useTranslation();
  const [wholeRecord, setWholeRecord] = useState<string | undefined>(undefined);
  const isWhole = wholeRecord === record;
  const shown = isWhole ? fields : fields.slice(0, MAX_FIELDS);
  return (
    <>
      <dl className={styles.list}>
        {shown.map((field) => (
          <Row key={field.field} record={record} field={field} />
        ))}
      </dl>
      {shown.length < fields.length && (
        <Button onClick={() => setWholeRecord(record)}>{`${t('common.showAll')} (${fields.length})`}</Button>
      )}
    </>
  );
}

function Row({ record, field }: { readonly record: string; readonly field: FlatField }) {
  const { t } = useTranslation();
  const [wholeRecord, setWholeRecord] = useState<string | undefined>(undefined);
  const isWhole = wholeRecord === record;
  const isDate = useConfiguration().data?.indexes.hit?.[field.field]?.type === 'date';
  const values = valuesOf(field);
  const shown = isWhole ? values : values.slice(0, MAX_VALUES);
  return (
    <div className={styles.row}>
      <dt className={styles.name}>
        <Value value={field.field} limit={200} isName />
      </dt>
      <dd className={styles.values}>
        {shown.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list may hold a value twice.
          <ValueWithMenu key={index} of={{ field: field.field, value }} isDate={isDate} />
        ))}
        {shown.length < values.length && (
          <Button kind="quiet" onClick={() => setWholeRecord(record)}>
            {`${t('common.showAll')} (${values.length})`}
          </Button>
        )}
      </dd>
    </div>
  );
}
