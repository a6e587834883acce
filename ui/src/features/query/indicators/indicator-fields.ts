import type { QueryFields } from '../language/query-fields.ts';
import { alertIndicatorFields } from './alert-indicator-fields.ts';
import { INDICATOR_KINDS, type IndicatorKind } from './read-indicators.ts';

/** The fields that an indicator of a kind is looked for in. */
export type IndicatorFields = Readonly<Record<IndicatorKind, readonly string[]>>;

/**
 * Types of the field mapping (`configuration.mapping` of `/api/v1/configs`), which are those of
 * enrichment.
 */
const MAPPED_TYPES: Readonly<Record<IndicatorKind, readonly string[]>> = {
  ip: ['ip', 'ipv4', 'ipv6'],
  domain: ['domain', 'host', 'hostname'],
  url: ['url', 'uri'],
  mail: ['email', 'email_address', 'mail'],
  md5: ['md5', 'hash'],
  sha1: ['sha1', 'hash'],
  sha256: ['sha256', 'hash'],
};

/** Names of fields of other records that hold such values, as those of files. */
const BY_NAME: Readonly<Record<IndicatorKind, RegExp>> = {
  ip: /(?:^|\.)ip$/,
  domain: /(?:^|\.)domain$/,
  url: /(?:^|\.)(?:url|uri|url\.full)$/,
  mail: /(?:^|\.)e?mail(?:(?:\.\w+)*\.address)?$/,
  md5: /(?:^|\.)md5$/,
  sha1: /(?:^|\.)sha1$/,
  sha256: /(?:^|\.)sha256$/,
};
const MAX_BY_NAME = 8;

/**
 * Returns the fields of each kind of indicator, those that say most first: the fields of alerts that
 * hold such values and those that the installation maps to the kind; of other records, the fields whose
 * name says so.
 * @param mapping field → type of enrichment
 */
export function indicatorFields(fields: QueryFields, mapping: Readonly<Record<string, string>> = {}): IndicatorFields {
  const fieldsOf = (kind: IndicatorKind): readonly string[] => {
    const ofAlerts = alertIndicatorFields(kind).filter((name) => isSearchable(name, fields));
    const mapped = Object.keys(mapping).filter(
      (name) => MAPPED_TYPES[kind].includes(mapping[name]?.toLowerCase() ?? '') && isSearchable(name, fields),
    );
    const named = fields.all.filter(({ name }) => BY_NAME[kind].test(name) && isSearchable(name, fields));
    const byName = ofAlerts.length > 0 ? [] : named.slice(0, MAX_BY_NAME).map(({ name }) => name);
    return [...new Set([...ofAlerts, ...byName, ...mapped])];
  };
  const found = INDICATOR_KINDS.map((kind) => [kind, fieldsOf(kind)] as const);
  return Object.fromEntries(found) as unknown as IndicatorFields;
}

function isSearchable(name: string, { byName }: QueryFields): boolean {
  const field = byName.get(name);
  return field !== undefined && field.indexed !== false;
}
