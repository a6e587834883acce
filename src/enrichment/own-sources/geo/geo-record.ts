import { isObject } from '../../../json/json-object.ts';

/** The parts of a record that are shown. */
export interface GeoRecord {
  readonly country?: { readonly code: string | undefined; readonly name: string };
  readonly city?: string;
  readonly asn?: number;
  readonly organization?: string;
}

/**
 * Reads a record of a geographic or network database. MaxMind and DB-IP have names by language in
 * objects, IPinfo has strings.
 */
export function readGeoRecord(record: Readonly<Record<string, unknown>>): GeoRecord {
  const asn = numberOf(record.autonomous_system_number ?? record.asn);
  const organization = firstText(
    record.autonomous_system_organization,
    record.as_name,
    record.organization,
    record.isp,
  );
  const city = nameOf(record.city);
  const country = countryOf(record);
  return {
    ...(country === undefined ? {} : { country }),
    ...(city === undefined ? {} : { city }),
    ...(asn === undefined ? {} : { asn }),
    ...(organization === undefined ? {} : { organization }),
  };
}

function countryOf({ country, country_name: fullName, country_code: shortName }: Readonly<Record<string, unknown>>) {
  const code = firstText(isObject(country) ? country.iso_code : undefined, shortName, country);
  const name = firstText(fullName, nameOf(country), code);
  if (name === undefined) return undefined;
  return { code: code !== undefined && /^[A-Za-z]{2}$/.test(code) ? code.toUpperCase() : undefined, name };
}

/** Returns a name: a string, or that of an object with names by language, in English if there is one. */
function nameOf(value: unknown): string | undefined {
  if (!isObject(value)) return firstText(value);
  return isObject(value.names) ? firstText(value.names.en, ...Object.values(value.names)) : undefined;
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^AS[0-9]{1,10}$/i.test(value) ? Number(value.slice(2)) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
