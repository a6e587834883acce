import { flatten } from '../../design/data/structure/flatten.ts';
import { recordOf, valuesOf } from '../alerts/alert/fields/record-fields.ts';
import type { Alert } from '../alerts/triage/alert.ts';
import type { Pivot } from './pivot-fields.tsx';

/** The word that stands for a fixed value in place of a field. */
const CUSTOM = 'custom';

/** Returns the address of a pivot on an alert: each `{{key}}` becomes the first value of its field. */
export function pivotAddress(pivot: Pivot, alert: Alert): string {
  const fields = new Map(flatten(recordOf(alert)).fields.map((field) => [field.field, field]));
  return (pivot.mappings ?? []).reduce((address, { key, field, custom_value: custom }) => {
    const found = fields.get(field);
    const [value = ''] = found === undefined ? [] : valuesOf(found);
    return address.replaceAll(`{{${key}}}`, encodeURIComponent(field === CUSTOM ? (custom ?? '') : value));
  }, pivot.value);
}
