import { isSameStored } from '../../../../json/equality.ts';
import { valueAt } from '../../../../json/members.ts';
import { type Alert, isSameTriage, type LabelSet, TRIAGE_FIELDS, triageOf } from '../alert.ts';
import type { Reversal } from '../changes/reversals.ts';
import type { StoredAction } from '../requests/alert-api.ts';

/** Returns the fields that operations write directly, without those that triage and labels cover. */
export function changedFields(operations: StoredAction['operations']): readonly string[] {
  const fields = operations.flatMap(({ operation_id, data_json }) => {
    if (operation_id !== 'change_field' && operation_id !== 'prioritization') return [];
    const { field } = JSON.parse(data_json || '{}') as { readonly field?: unknown };
    if (operation_id === 'prioritization') return [`howler.${String(field ?? 'score')}`];
    return field === undefined ? [] : [String(field)];
  });
  const covered = new Set<string>(TRIAGE_FIELDS);
  return [...new Set(fields)].filter((field) => !covered.has(field) && !field.startsWith('howler.labels'));
}

/** Returns what takes the difference between two states of an alert back. */
export function reversalsOf(before: Alert, after: Alert, fields: readonly string[]): Reversal[] {
  const reversals: Reversal[] = [];
  const [seen, present] = [triageOf(before), triageOf(after)];
  if (!isSameTriage(seen, present)) reversals.push({ kind: 'restore', before: seen, after: present });
  const [former, labels] = [labelsOf(before), labelsOf(after)];
  for (const set of new Set([...former.keys(), ...labels.keys()])) {
    const [had, has] = [former.get(set) ?? [], labels.get(set) ?? []];
    const add = had.filter((label) => !has.includes(label));
    const remove = has.filter((label) => !had.includes(label));
    if (add.length + remove.length > 0) reversals.push({ kind: 'label', set, add, remove });
  }
  const changed = fields.filter((field) => !isSameStored(valueAt(before, field), valueAt(after, field)));
  if (changed.length > 0) {
    const values = (alert: Alert) => Object.fromEntries(changed.map((field) => [field, valueAt(alert, field) ?? null]));
    reversals.push({ kind: 'fields', before: values(before), after: values(after) });
  }
  return reversals;
}

function labelsOf({ howler: { labels } }: Alert): ReadonlyMap<LabelSet, readonly string[]> {
  return new Map(Object.entries(labels ?? {}) as [LabelSet, readonly string[]][]);
}
