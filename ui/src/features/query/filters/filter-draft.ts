import { mistakeOf } from '../language/mistake-of.ts';
import { type Filter, rangeFilter, valueFilter, valuesFilter } from '../model/filter.ts';
import { filterQuery, inverted, readFilter } from '../model/filter-query.ts';

/** The inputs of the form that edits a filter. Those of other conditions keep what was typed. */
export interface FilterDraft {
  readonly condition: DraftCondition;
  readonly field: string | undefined;
  readonly values: readonly string[];
  readonly lower: string;
  readonly upper: string;
  readonly lowerInclusive: boolean;
  readonly upperInclusive: boolean;
  readonly text: string;
  readonly excluded: boolean;
}

export const DRAFT_CONDITIONS = ['values', 'range', 'exists', 'query'] as const;
export type DraftCondition = (typeof DRAFT_CONDITIONS)[number];

export type DraftProblem =
  | { readonly kind: 'no_field' | 'no_value' | 'no_bound' | 'no_query' }
  | { readonly kind: 'refused'; readonly message: string };

export const EMPTY_DRAFT: FilterDraft = {
  condition: 'values',
  field: undefined,
  values: [],
  lower: '',
  upper: '',
  lowerInclusive: true,
  upperInclusive: true,
  text: '',
  excluded: false,
};

/** Returns the inputs that stand for a filter. */
export function draftOf(filter: Filter): FilterDraft {
  const draft = { ...EMPTY_DRAFT, excluded: filter.excluded, text: filterQuery({ ...filter, excluded: false }) };
  if (filter.kind === 'query') return { ...draft, condition: 'query' };
  const { field, condition } = filter;
  switch (condition.kind) {
    case 'is':
      return { ...draft, field, values: [condition.value] };
    case 'one_of':
      return { ...draft, field, values: condition.values };
    case 'exists':
      return { ...draft, field, condition: 'exists' };
    case 'range': {
      const { lower, upper } = condition;
      const [lowerInclusive, upperInclusive] = [lower?.inclusive ?? true, upper?.inclusive ?? true];
      const bounds = { lower: lower?.text ?? '', upper: upper?.text ?? '', lowerInclusive, upperInclusive };
      return { ...draft, ...bounds, field, condition: 'range' };
    }
  }
}

/** Returns the filter of the inputs, which is on. */
export function filterOfDraft(draft: FilterDraft): Filter | DraftProblem {
  const { condition, excluded, text, values } = draft;
  if (condition === 'query') return queryOfDraft(text, excluded);
  const { field } = draft;
  if (field === undefined || field === '') return { kind: 'no_field' };
  if (condition === 'exists') return valueFilter(field, null, { excluded: !excluded });
  if (condition === 'values')
    return values.length === 0 ? { kind: 'no_value' } : valuesFilter(field, values, { excluded });
  const lower = { text: draft.lower.trim(), inclusive: draft.lowerInclusive };
  const upper = { text: draft.upper.trim(), inclusive: draft.upperInclusive };
  if (lower.text === '' && upper.text === '') return { kind: 'no_bound' };
  return rangeFilter(field, { lower, upper }, { excluded });
}

function queryOfDraft(text: string, excluded: boolean): Filter | DraftProblem {
  if (text.trim() === '') return { kind: 'no_query' };
  const mistake = mistakeOf(text);
  if (mistake !== undefined) return { kind: 'refused', message: mistake };
  const filter = { ...readFilter(text), off: false };
  return excluded ? inverted(filter) : filter;
}
