import type { Sort } from '../../../design/data/table/columns.ts';

/** Orders of the list, as the search of the service takes them. */
export const CASE_SORTS = [
  'updated desc',
  'updated asc',
  'created desc',
  'created asc',
  'status desc',
  'status asc',
  'escalation desc',
  'escalation asc',
] as const;
export type CaseSort = (typeof CASE_SORTS)[number];

export const DEFAULT_SORT: CaseSort = 'updated desc';

/** Returns an order as the table draws it. */
export function tableSort(sort: CaseSort): Sort {
  const [column = '', direction] = sort.split(' ');
  return { column, direction: direction === 'asc' ? 'ascending' : 'descending' };
}

/** Returns the order that a head of the table asks for; undefined for columns without one. */
export function caseSort({ column, direction }: Sort): CaseSort | undefined {
  const wanted = `${column} ${direction === 'ascending' ? 'asc' : 'desc'}`;
  return CASE_SORTS.find((sort) => sort === wanted);
}
