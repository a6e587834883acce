import { quotedPhrase } from '../../../../../../src/datastore/query-language/written-values.ts';
import { flatten } from '../../../../design/data/structure/flatten.ts';
import { alertIndicatorFields } from '../../../query/indicators/alert-indicator-fields.ts';
import { readIndicators } from '../../../query/indicators/read-indicators.ts';
import { queryOfValues } from '../../../query/model/record-queries.ts';
import type { Alert } from '../../triage/alert.ts';
import { recordOf, valuesOf } from '../fields/record-fields.ts';

/** A search for alerts that have something in common with one. */
export interface RelatedQuery {
  /** The pivot in both languages, or the shared value. */
  readonly label: { readonly en: string; readonly fr: string } | string;
  readonly query: string;
}

/** Searches of one alert; each is one request. */
const MAX_QUERIES = 30;
/** Values of one field that a search asks for. */
const MAX_VALUES = 20;
/** Fields of what is no address, name or hash, such as the name of a user. */
const NAME_FIELDS = [
  ...['indicators', 'threat', 'target'].map((name) => `howler.outline.${name}`),
  ...['hosts', 'user', 'hash', 'uri', 'signature'].map((name) => `related.${name}`),
];
/** Longer values are no indicators, and a search for them says little. */
const MAX_LENGTH = 300;

/** Returns a search for each pivot of the dossiers: other alerts with the values that it passes on. */
export function pivotQueries(alert: Alert): readonly RelatedQuery[] {
  const values = new Map(flatten(recordOf(alert)).fields.map((field) => [field.field, valuesOf(field)]));
  const found = new Map<string, RelatedQuery>();
  // The service leaves empty lists out, as the public system does.
  for (const { pivots } of alert.__dossiers ?? []) {
    for (const { label, mappings } of pivots ?? []) {
      const clauses = (mappings ?? []).flatMap(({ field }) => {
        const wanted = (values.get(field) ?? []).filter(isSearchable).slice(0, MAX_VALUES);
        return wanted.length === 0 ? [] : [queryOfValues(field, wanted)];
      });
      const query = [...new Set(clauses)].join(' AND ');
      if (query !== '' && !found.has(query)) found.set(query, { label, query: others(query, alert) });
    }
  }
  return [...found.values()].slice(0, MAX_QUERIES);
}

/** Returns a search for each indicator of an alert: other alerts that have it, too. */
export function indicatorQueries(alert: Alert): readonly RelatedQuery[] {
  const { related, howler } = alert;
  const all = [
    ...(howler.outline?.indicators ?? []),
    howler.outline?.threat ?? '',
    ...(related?.ip ?? []),
    ...(related?.hosts ?? []),
    ...(related?.hash ?? []),
    ...(related?.uri ?? []),
    ...(related?.user ?? []),
  ];
  const unique = [...new Set(all)].filter(isSearchable).slice(0, MAX_QUERIES);
  return unique.map((value) => {
    const query = `(${fieldsFor(value)
      .map((field) => `${field}:${quotedPhrase(value)}`)
      .join(' OR ')})`;
    return { label: value, query: others(query, alert) };
  });
}

/** Returns the fields that may hold a value; fields of another type refuse it. */
function fieldsFor(value: string): readonly string[] {
  const [indicator, ...others] = readIndicators(value) ?? [];
  return indicator === undefined || others.length > 0 ? NAME_FIELDS : alertIndicatorFields(indicator.kind);
}

function isSearchable(value: string): boolean {
  return value !== '' && value.length <= MAX_LENGTH;
}

function others(query: string, { howler }: Alert): string {
  return `${query} AND NOT howler.id:${quotedPhrase(howler.id)}`;
}
