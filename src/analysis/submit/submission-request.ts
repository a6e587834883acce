import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { rejectImpossible } from '../../json/json-limits.ts';
import type { Values } from './nested-values.ts';

/** The JSON of a submission, without the file. */
export interface SubmissionRequest {
  /** Name of the file. */
  readonly name: string | undefined;
  readonly metadata: Values;
  readonly params: Values;
  /** Name of a profile; undefined: none was named. */
  readonly profile: string | undefined;
  /** Type of a bulk submission. */
  readonly type: string | undefined;
  /** Names of sources that the file may be fetched from, in place of those of the user. */
  readonly externalSources: readonly string[];
  readonly notificationQueue: string | undefined;
  readonly notificationThreshold: number | undefined;
}

/** Longest name of a file, and longest address, in characters. */
export const MAX_NAME_LENGTH = 8192;

/**
 * Reads the JSON of a submission.
 * @throws InvalidInput `invalid_submission`, and as `rejectImpossible`
 */
export function readSubmissionRequest(json: unknown): SubmissionRequest {
  rejectImpossible(json);
  if (!isObject(json)) throw invalidSubmission('The submission must be a JSON object.');
  const given = json.ui_params === undefined ? json.params : interfaceParams(json.ui_params);
  const { default_external_sources: sources, ...params } = objectAt(given ?? {}, 'params');
  return {
    name: nameOf(stringAt(json.name, 'name')),
    metadata: objectAt(json.metadata ?? {}, 'metadata'),
    params,
    profile: stringAt(json.submission_profile, 'submission_profile', { empty: true }),
    type: stringAt(json.type, 'type'),
    externalSources: stringsAt(sources ?? [], 'params.default_external_sources'),
    notificationQueue: stringAt(json.notification_queue, 'notification_queue'),
    notificationThreshold: thresholdOf(json.notification_threshold),
  };
}

/** Returns a name that is not too long and holds no NUL. @throws InvalidInput `invalid_submission` */
export function nameOf<Name extends string | undefined>(name: Name): Name {
  if (name === undefined) return name;
  if (name.length > MAX_NAME_LENGTH) {
    throw invalidSubmission(`The name of the file is longer than ${MAX_NAME_LENGTH} characters.`, 'name');
  }
  if (name.includes('\0')) throw invalidSubmission('The name of the file holds the character NUL.', 'name');
  return name;
}

export function invalidSubmission(message: string, at?: string): InvalidInput {
  return new InvalidInput('invalid_submission', message, { response: {}, at });
}

/** Returns a string, undefined for null and, by default, for an empty one. */
function stringAt(value: unknown, at: string, { empty = false } = {}): string | undefined {
  if (value === undefined || value === null || (value === '' && !empty)) return undefined;
  if (typeof value === 'string') return value;
  throw invalidSubmission(`"${at}" must be a string.`, at);
}

function objectAt(value: unknown, at: string): Values {
  if (isObject(value)) return value;
  throw invalidSubmission(`"${at}" must be an object.`, at);
}

function stringsAt(value: unknown, at: string): readonly string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw invalidSubmission(`"${at}" must be a list of strings.`, at);
}

function thresholdOf(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '' || value === false) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  // The text of the public system.
  throw invalidSubmission('notification_threshold should be and int', 'notification_threshold');
}

/** Returns the parameters of the web interface, which has them in forms, as requests have them. */
function interfaceParams(given: unknown): Values {
  const params = objectAt(given ?? {}, 'ui_params');
  const { service_spec: spec, services } = params;
  return {
    ...params,
    service_spec: Array.isArray(spec) ? changedServiceParams(spec) : (spec ?? {}),
    ...(Array.isArray(services) ? { services: { selected: selectedServices(services) } } : {}),
  };
}

/** Returns a name as a string; what cannot be a name stands for a service that does not exist. */
function nameText(name: unknown): string {
  return typeof name === 'object' ? '' : String(name);
}

function changedServiceParams(services: readonly unknown[]): Values {
  const entries = services.filter(isObject).map(({ name, params }) => {
    const changed = (Array.isArray(params) ? params.filter(isObject) : []).filter((one) => one.value !== one.default);
    return [nameText(name), Object.fromEntries(changed.map((one) => [nameText(one.name), one.value]))] as const;
  });
  return Object.fromEntries(entries.filter(([, params]) => Object.keys(params).length > 0));
}

/** Returns the categories that are selected as a whole, and the selected services of others. */
function selectedServices(categories: readonly unknown[]): readonly string[] {
  return categories.filter(isObject).flatMap(({ name, selected, services }) => {
    if (selected === true) return [nameText(name)];
    const members = Array.isArray(services) ? services.filter(isObject) : [];
    return members.filter((one) => one.selected === true).map((one) => nameText(one.name));
  });
}
