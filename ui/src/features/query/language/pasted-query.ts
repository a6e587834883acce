import { MAX_QUERY_LENGTH } from '../../../../../src/datastore/query-language/query-parser.ts';
import { type IndicatorFields, indicatorFields } from '../indicators/indicator-fields.ts';
import { indicatorQuery, indicatorValues } from '../indicators/indicator-query.ts';
import { type Indicator, readIndicators } from '../indicators/read-indicators.ts';
import { completionPlace } from './completion-place.ts';
import type { QueryFields } from './query-fields.ts';

/** Fields of a kind that are asked where all of them would make the query too long. */
const FEW_FIELDS = 4;

/** The treatment of a pasted string: it is inserted as it is, read as indicators, or refused. */
export type PastedQuery =
  | { readonly kind: 'as_it_is' }
  /** `isNarrowed`: so many that the most telling fields alone are asked. */
  | { readonly kind: 'indicators'; readonly query: string; readonly count: number; readonly isNarrowed: boolean }
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
  const asked = fields && indicators ? indicatorFields(fields, mapping) : undefined;
  const queryOf = (most?: number) => indicators && asked && asQuery(indicators, target, asked, most);
  const isTooLong = ({ length }: string) => text.length - (to - from) + length > MAX_QUERY_LENGTH;
  const whole = queryOf();
  const isNarrowed = whole !== undefined && isTooLong(whole);
  const query = isNarrowed ? queryOf(FEW_FIELDS) : whole;
  const inserted = query ?? pasted;
  if (isTooLong(inserted)) return { kind: 'too_long', length: inserted.length, max: MAX_QUERY_LENGTH };
  return query === undefined || indicators === undefined
    ? { kind: 'as_it_is' }
    : { kind: 'indicators', query, count: indicators.length, isNarrowed };
}

/** Returns undefined in the middle of a value, where a part of one is pasted. */
function asQuery(
  indicators: readonly Indicator[],
  target: PasteTarget,
  fields: IndicatorFields,
  most: number | undefined,
): string | undefined {
  const { text, from, to } = target;
  const rest = `${text.slice(0, from)}${text.slice(to)}`;
  const query = indicatorQuery(indicators, fields, most);
  if (rest.trim() === '') return query;
  const place = completionPlace(rest, from);
  if (place === undefined || place.typed !== '' || place.inRange || place.to > from) return undefined;
  if (place.kind === 'value') return rest.charAt(place.from) === '"' ? undefined : indicatorValues(indicators);
  return place.followsClause ? `AND (${query})` : `(${query})`;
}
