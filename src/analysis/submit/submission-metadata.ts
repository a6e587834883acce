import type { Settings } from '../../config/config-schema.ts';
import { applyScheme, invalidMetadata, type MetadataScheme, type SchemeOptions } from './metadata-scheme.ts';
import { flattenValues, type Values } from './nested-values.ts';
import { pythonJson } from './python-json.ts';

/** Metadata as it is stored: strings by dotted name. */
export type Metadata = Readonly<Record<string, string>>;

export interface MetadataDependencies {
  readonly settings: Pick<Settings['analysis']['submission'], 'metadata' | 'max_metadata_length'>;
  readonly suggestions: SchemeOptions['suggestions'];
}

export interface MetadataRequest {
  /** Metadata of every submission of the user. */
  readonly usual: Values;
  readonly sent: Values;
  readonly endpoint: 'submit' | 'ingest';
  /** Type of the submission, which has a scheme in bulk. */
  readonly type: string;
  /** The submission goes into the archive, which has a scheme, too. */
  readonly archived: boolean;
}

/** Names of metadata, at most. Each is a column of searches. */
const MAX_NAMES = 1000;
const MAX_NAME_LENGTH = 256;

/**
 * Returns the metadata of a submission: what was sent over the usual metadata of the user, checked by
 * the schemes of the installation. In bulk, values that are too long are left out.
 * @throws InvalidInput `invalid_metadata`
 */
export function resolveMetadata({ settings, suggestions }: MetadataDependencies, request: MetadataRequest): Metadata {
  const { endpoint, type } = request;
  const { strict_schemes: strict, submit, ingest, archive } = settings.metadata;
  const given: Values = { ...request.usual, ...flattenValues(request.sent) };
  assertNames(given);
  const bulk: MetadataScheme = { ...ownValue(ingest, '_default'), ...ownValue(ingest, type) };
  const [scheme, name] = endpoint === 'submit' ? [submit, 'submit'] : [bulk, type];
  let checked = applyScheme(given, scheme, { strict: strict.includes(name), suggestions });
  if (request.archived) {
    checked = applyScheme(checked, archive, { strict: strict.includes('archive'), suggestions });
  }
  return storedMetadata(checked, settings.max_metadata_length, endpoint === 'ingest' ? 'drop' : 'refuse');
}

/**
 * Returns the metadata of what is archived, checked by the scheme of the archive; none without one.
 * @throws InvalidInput `invalid_metadata`
 */
export function archiveMetadata({ settings, suggestions }: MetadataDependencies, given: Values): Metadata {
  const { strict_schemes: strict, archive } = settings.metadata;
  const flat = flattenValues(given);
  assertNames(flat);
  const checked = applyScheme(flat, archive, { strict: strict.includes('archive'), suggestions });
  return Object.keys(archive).length === 0 ? {} : storedMetadata(checked, settings.max_metadata_length, 'refuse');
}

/** Returns values as they are stored. @throws InvalidInput `invalid_metadata` for one that is too long */
export function storedMetadata(values: Values, maxLength: number, tooLong: 'drop' | 'refuse'): Metadata {
  const stored: [string, string][] = [];
  for (const [name, value] of Object.entries(values)) {
    const text = typeof value === 'string' ? value : pythonJson(value);
    if (text.length <= maxLength) stored.push([name, text]);
    else if (tooLong === 'refuse') {
      throw invalidMetadata(`The metadata ${name} is longer than ${maxLength} characters.`, `metadata.${name}`);
    }
  }
  assertNames(values);
  return Object.fromEntries(stored);
}

function assertNames(values: Values): void {
  const names = Object.keys(values);
  if (names.length > MAX_NAMES) {
    throw invalidMetadata(
      `The submission has ${names.length} names of metadata; ${MAX_NAMES} are allowed.`,
      'metadata',
    );
  }
  if (names.some((name) => name.length > MAX_NAME_LENGTH || name === '')) {
    throw invalidMetadata(`Names of metadata have 1 to ${MAX_NAME_LENGTH} characters.`, 'metadata');
  }
  assertNoneAbove(names);
}

/** Search engines hold either a value under a name or further names below it. */
function assertNoneAbove(names: readonly string[]): void {
  const all = new Set(names);
  for (const name of names) {
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
      const above = name.slice(0, dot);
      if (!all.has(above)) continue;
      const message = `The metadata "${above}" and "${name}" exclude each other: a name with a value has no names below it.`;
      throw invalidMetadata(message, `metadata.${name}`);
    }
  }
}

function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
