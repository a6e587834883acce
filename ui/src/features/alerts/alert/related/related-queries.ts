import { quotedPhrase } from '../../../../../../src/datastore/query-language/written-values.ts';
import { flatten } from '../../../../design/data/structure/flatten.ts';
import { indicatorKind } from '../../../../design/data/text/defang.ts';
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
    const fields = ['howler.outline.indicators', 'howler.outline.threat', ...fieldsFor(value)];
    const query = `(${fields.map((field) => `${field}:${quotedPhrase(value)}`).join(' OR ')})`;
    return { label: value, query: others(query, alert) };
  });
}

/** Fields of another type refuse a value that they cannot hold. */
function fieldsFor(value: string): readonly string[] {
  if (indicatorKind(value) === 'ip') return ['related.ip'];
  if (indicatorKind(value) === 'url') return ['related.uri'];
  return ['related.hosts', 'related.user', 'related.hash'];
}

function isSearchable(value: string): boolean {
  return value !== '' && value.length <= MAX_LENGTH;
}

function others(query: string, { howler }: Alert): string {
  return `${query} AND NOT howler.id:${quotedPhrase(howler.id)}`;
}
