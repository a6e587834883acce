import { hash, randomBytes } from 'node:crypto';
import { ERROR_TYPE_CODES, type ErrorType } from '../../documents/kinds/analysis/error.ts';
import { pythonBytes, pythonJson } from './python-json.ts';

/** The members of a task that its result depends on. */
export interface KeyedTask {
  readonly service_config: Readonly<Record<string, unknown>>;
  readonly deep_scan: boolean;
  readonly ignore_filtering: boolean;
  readonly max_files: number;
  readonly min_classification: string;
}

interface KeyParts {
  readonly sha256: string;
  readonly service: string;
  readonly version: string;
  /** Version of the tools; null, or no task: the service has none. */
  readonly toolVersion?: string | null | undefined;
  readonly task?: KeyedTask | undefined;
  /** Makes the key unlike every other. */
  readonly salt?: string | undefined;
}

/** Returns the key of a result; that of an empty one ends in `.e` (contract/analysis.md section 4.3). */
export function resultKey(parts: KeyParts & { readonly isEmpty?: boolean }): string {
  return `${keyStem(parts)}${parts.isEmpty === true ? '.e' : ''}`;
}

/** Returns the key of an error; `unique` adds a random part, for one of several beside a result. */
export function errorKey(
  parts: Omit<KeyParts, 'salt'> & { readonly type: ErrorType; readonly unique?: boolean },
): string {
  const key = `${keyStem(parts)}.e${ERROR_TYPE_CODES[parts.type]}`;
  return parts.unique === true ? `${key}.${randomBytes(8).readBigUInt64BE()}` : key;
}

/** Returns a salt for the key of a result that no other submission may use. */
export function randomSalt(): string {
  return base62(BigInt(`0x${randomBytes(16).toString('hex')}`));
}

/** Returns whether the key is that of an empty result. */
export function isEmptyKey(key: string): boolean {
  return key.endsWith('.e');
}

function keyStem({ sha256, service, version, toolVersion, task, salt }: KeyParts): string {
  const undotted = (text: string) => text.replaceAll('.', '_');
  return `${sha256}.${undotted(service)}.v${undotted(version)}.c${configurationKey(toolVersion ?? undefined, task, salt)}`;
}

function configurationKey(
  toolVersion: string | undefined,
  task: KeyedTask | undefined,
  salt: string | undefined,
): string {
  if (toolVersion === undefined && task === undefined && salt === undefined) return '0';
  const { service_config: configuration = {}, deep_scan, ignore_filtering, max_files, min_classification } = task ?? {};
  const parameters = task === undefined ? {} : { deep_scan, ignore_filtering, max_files, min_classification };
  const parts = [toolVersion ?? 'None', sortedPairs(configuration), sortedPairs(parameters), salt ?? 'None'];
  const text = pythonBytes(Buffer.from(parts.join('_')));
  return base62(BigInt(`0x${hash('md5', text).slice(0, 16)}`));
}

function sortedPairs(object: Readonly<Record<string, unknown>>): string {
  return pythonJson(Object.entries(object).sort(([left], [right]) => (left < right ? -1 : Number(left > right))));
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Writes a number in base 62 with the digits of the public system. */
export function base62(number: bigint): string {
  let text = '';
  for (let rest = number; rest > 0n; rest /= 62n) text = `${ALPHABET[Number(rest % 62n)]}${text}`;
  return text === '' ? '0' : text;
}
