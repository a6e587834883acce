import { quotedPhrase, quotedValue } from '../../../../../src/datastore/query-language/written-values.ts';
import { valuesFilter } from '../model/filter.ts';
import { filterQuery } from '../model/filter-query.ts';
import type { IndicatorFields } from './indicator-fields.ts';
import { INDICATOR_KINDS, type Indicator } from './read-indicators.ts';

/**
 * Returns a query for records that have one of the indicators in one of the fields of its kind.
 * @param most fields of a kind that are asked, the first ones. Default: all
 */
export function indicatorQuery(indicators: readonly Indicator[], fields: IndicatorFields, most?: number): string {
  const clauses = INDICATOR_KINDS.flatMap((kind) => {
    const values = indicators.filter((indicator) => indicator.kind === kind).map(({ value }) => value);
    if (values.length === 0) return [];
    const names = fields[kind].slice(0, most);
    // Without a field, the words that an index searches by default.
    return names.length === 0 ? values.map(quotedPhrase) : names.map((name) => filterQuery(valuesFilter(name, values)));
  });
  return clauses.join(' OR ');
}

/** Returns the indicators as the values of a field whose name stands before them already. */
export function indicatorValues(indicators: readonly Indicator[]): string {
  const values = indicators.map(({ value }) => quotedValue(value));
  return values.length === 1 ? (values[0] ?? '') : `(${values.join(' OR ')})`;
}
