import { MAX_QUERY_LENGTH } from '../../../../../src/datastore/query-language/query-parser.ts';
import { type IndicatorFields, indicatorFields } from '../indicators/indicator-fields.ts';
import { indicatorQuery, indicatorValues } from '../indicators/indicator-query.ts';
import { type Indicator, readIndicators } from '../indicators/read-indicators.ts';
import { completionPlace } from './completion-place.ts';
import type { QueryFields } from './query-fields.ts';

/** The treatment of a pasted string: it is inserted as it is, read as indicators, or refused. */
export type PastedQuery =
  | { readonly kind: 'as_it_is' }
  | { readonly kind: 'indicators'; readonly query: string; readonly count: number }
  | { readonly kind: 'too_long'; readonly length: number; readonly max: number };

/** The text that a string is pasted into; the selection is replaced. */
export interface PasteTarget {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly fields: QueryFields | undefined;
  /** Field → type of enrichment (`configuration.mapping` of `/api/v1/configs`). */
  readonly mapping?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads a pasted string. One that no query can hold never gets into the editor, which would freeze the
 * page.
 */
export function pastedQuery(pasted: string, target: PasteTarget): PastedQuery {
  const { text, from, to, fields, mapping } = target;
  const indicators = fields && readIndicators(pasted, (name) => fields.byName.has(name));
  const query = fields && indicators ? asQuery(indicators, target, indicatorFields(fields, mapping)) : undefined;
  const length = (query ?? pasted).length;
  if (text.length - (to - from) + length > MAX_QUERY_LENGTH) return { kind: 'too_long', length, max: MAX_QUERY_LENGTH };
  return query === undefined || indicators === undefined
    ? { kind: 'as_it_is' }
    : { kind: 'indicators', query, count: indicators.length };
}

/** Returns undefined in the middle of a value, where a part of one is pasted. */
function asQuery(indicators: readonly Indicator[], target: PasteTarget, fields: IndicatorFields): string | undefined {
  const { text, from, to } = target;
  const rest = `${text.slice(0, from)}${text.slice(to)}`;
  const query = indicatorQuery(indicators, fields);
  if (rest.trim() === '') return query;
  const place = completionPlace(rest, from);
  if (place === undefined || place.typed !== '' || place.inRange || place.to > from) return undefined;
  if (place.kind === 'value') return rest.charAt(place.from) === '"' ? undefined : indicatorValues(indicators);
  return place.followsClause ? `AND (${query})` : `(${query})`;
}
