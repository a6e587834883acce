import { type MouseEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import type { FlatField, FlatRecord } from '../structure/flatten.ts';
import { formatNumber } from '../values/numbers.ts';
import { Value } from '../values/value.tsx';
import styles from './records.module.css';

export interface FieldTableProps {
  /** The answer of `flatten`, whole or narrowed by a search. */
  readonly record: FlatRecord;
  /** Buttons at each value: filter in and out, pin as column, look up. */
  readonly actions?: (field: string, value: string) => ReactNode;
  readonly onMenu?: (event: MouseEvent, field: string, value: string) => void;
  /** Draws a field in a way of its own; undefined for the usual one. */
  readonly render?: (field: FlatField) => ReactNode | undefined;
  readonly label?: string;
}

const PAGE = 150;
const MAX_VALUES = 20;

/** Shows the fields of a record with their values, 150 at first. */
export function FieldTable({ record, actions, onMenu, render, label }: FieldTableProps) {
  const { t, i18n } = useTranslation();
  const [shown, setShown] = useState(PAGE);
  const rest = record.fields.length - shown;
  return (
    <>
      <table className={styles.fields} aria-label={label ?? t('data.fields.label')}>
        <tbody>
          {record.fields.slice(0, shown).map((field) => (
            <tr key={field.field}>
              <th scope="row">
                <Value value={field.field} limit={200} isName />
              </th>
              <td>{render?.(field) ?? <FieldValues field={field} actions={actions} onMenu={onMenu} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && (
        <button type="button" className={styles.more} onClick={() => setShown((count) => count + 4 * PAGE)}>
          {t('data.fields.more', { number: formatNumber(rest, i18n.language) })}
        </button>
      )}
      {record.isCut && <p className={styles.quiet}>{t('data.fields.cut')}</p>}
    </>
  );
}

interface FieldValuesProps {
  readonly field: FlatField;
  readonly actions: FieldTableProps['actions'];
  readonly onMenu: FieldTableProps['onMenu'];
}

function FieldValues({ field: { field, value }, actions, onMenu }: FieldValuesProps) {
  const { t, i18n } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const all = (Array.isArray(value) ? value : [value]).map((one) => String(one));
  const shown = isWhole ? all : all.slice(0, MAX_VALUES);
  const rest = all.length - shown.length;
  return (
    <ul className={styles.values}>
      {shown.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a field may hold a value twice.
        <li key={index}>
          <Value value={text} lines copy {...(onMenu ? { onMenu: (event) => onMenu(event, field, text) } : {})} />
          {actions && <span className={styles.actions}>{actions(field, text)}</span>}
        </li>
      ))}
      {rest > 0 && (
        <li>
          <button type="button" className={styles.more} onClick={() => setWhole(true)}>
            {t('data.fields.moreValues', { number: formatNumber(rest, i18n.language) })}
          </button>
        </li>
      )}
    </ul>
  );
}
