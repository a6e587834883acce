/** The columns that stand for more than one field, in their usual order. */
export const SPECIAL_COLUMNS = [
  'severity',
  'time',
  'analytic',
  'outline',
  'status',
  'assignee',
  'labels',
  'escalation',
] as const;
export type SpecialColumn = (typeof SPECIAL_COLUMNS)[number];

export function isSpecialColumn(id: string): id is SpecialColumn {
  return (SPECIAL_COLUMNS as readonly string[]).includes(id);
}
