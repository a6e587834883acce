import type { QueryFields } from '../language/query-fields.ts';
import type { IndicatorKind } from './read-indicators.ts';

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

const RELATED: Readonly<Record<IndicatorKind, readonly string[]>> = {
  ip: ['related.ip'],
  domain: ['related.hosts'],
  url: ['related.uri'],
  mail: ['related.user'],
  md5: ['related.hash'],
  sha1: ['related.hash'],
  sha256: ['related.hash'],
};

/** Fields of indexes that have no `related` ones, by the names that such values have there. */
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
 * Returns the fields of each kind of indicator: `related.*` and those that the installation maps to
 * the kind; where an index has neither, the fields whose name says so.
 * @param mapping field → type of enrichment
 */
export function indicatorFields(fields: QueryFields, mapping: Readonly<Record<string, string>> = {}): IndicatorFields {
  const fieldsOf = (kind: IndicatorKind): readonly string[] => {
    const mapped = Object.keys(mapping).filter((name) =>
      MAPPED_TYPES[kind].includes(mapping[name]?.toLowerCase() ?? ''),
    );
    const known = [...new Set([...RELATED[kind], ...mapped])].filter((name) => isSearchable(name, fields));
    if (known.length > 0) return known;
    const named = fields.all.filter(({ name }) => BY_NAME[kind].test(name) && isSearchable(name, fields));
    return named.slice(0, MAX_BY_NAME).map(({ name }) => name);
  };
  return {
    ip: fieldsOf('ip'),
    domain: fieldsOf('domain'),
    url: fieldsOf('url'),
    mail: fieldsOf('mail'),
    md5: fieldsOf('md5'),
    sha1: fieldsOf('sha1'),
    sha256: fieldsOf('sha256'),
  };
}

function isSearchable(name: string, { byName }: QueryFields): boolean {
  const field = byName.get(name);
  return field !== undefined && field.indexed !== false;
}
