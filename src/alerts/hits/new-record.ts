import { hash } from 'node:crypto';
import { compareCodePoints } from '../../datastore/regular-language/code-points.ts';
import { type Event, eventDocument } from '../../documents/kinds/event.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import type { ClassificationRules } from '../../documents/schema/field-spec.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { newId } from '../../documents/schema/values/field-values.ts';
import { pythonRepr, pythonTypeName } from '../../documents/schema/values/python-text.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { ESCALATION_OF_ASSESSMENT } from './triage/triage-transitions.ts';

export interface NewRecordOptions {
  readonly classification: ClassificationRules;
  readonly now: Date;
  /** Fields that do not exist: `refuse` (default), or `warn` and leave them out. */
  readonly unknown?: 'refuse' | 'warn' | undefined;
}

export interface NewRecord<T> {
  readonly record: T;
  /** Warnings for the sender, in the words of the public system. */
  readonly warnings: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads an alert as tools send it and completes it (contract/alert.md section 3.4).
 * It gets a new identifier, a hash and times unless they were sent; verdict, escalation and status are made to agree.
 * @throws InvalidInput `invalid_document` or `invalid_classification`, with the first thing that is wrong
 */
export function readNewHit(input: unknown, options: NewRecordOptions): NewRecord<Hit> {
  const { record, warnings } = readNew(hitDocument, input, options, (howlerValue) => ({
    analytic: howlerValue('analytic') ?? 'no_analytic',
    detection: howlerValue('detection') ?? 'no_detection',
  }));
  return { record, warnings: [...warnings, ...nameWarnings(record), ...agree(record)] };
}

/** Reads an event as tools send it, by those rules for alerts that apply. Errors as `readNewHit`. */
export function readNewEvent(input: unknown, options: NewRecordOptions): NewRecord<Event> {
  return readNew(eventDocument, input, options, () => ({}));
}

/** `hashed` returns the values that the hash covers beside the raw records. */
function readNew<T extends Hit | Event>(
  definition: DocumentDefinition<T>,
  input: unknown,
  { classification, now, unknown = 'refuse' }: NewRecordOptions,
  hashed: (howlerValue: (name: string) => unknown) => Json,
): NewRecord<T> {
  if (!isObject(input)) {
    const message = `[${definition.name}] Expected an object, got ${pythonTypeName(input)}`;
    throw new InvalidInput('invalid_document', message, { at: definition.name });
  }
  const nested: Json = isObject(input.howler) ? input.howler : {};
  /** Flat keys win over nested ones. */
  const howlerValue = (name: string) => input[`howler.${name}`] ?? nested[name];
  const data = howlerValue('data');
  // The identifier is never the sender's.
  const { id: _id, data: _data, hash: _hash, ...howler } = nested;
  const { 'howler.id': _flatId, 'howler.data': _flatData, 'howler.hash': _flatHash, ...others } = input;
  const prepared = {
    ...others,
    ...(isObject(input.howler) ? { howler } : {}),
    'howler.hash': howlerValue('hash') ?? hashOf({ ...hashed(howlerValue), raw_data: data ?? {} }),
    ...(data === undefined ? {} : { 'howler.data': rawRecords(data) }),
  };
  const { document, warnings } = readDocument(definition, prepared, { unknown, classification, now });
  identify(document, formatDate(now));
  return { record: document, warnings };
}

/** Hashes by the recipe of the public system, by which senders find what they sent before. */
function hashOf(contents: Json): string {
  return hash('sha256', pythonJson(contents, { sortKeys: true }));
}

/** Formats raw records as JSON. A string counts as the list of its characters, as in the public system. */
function rawRecords(data: unknown): unknown {
  if (typeof data === 'string') return [...data];
  if (!Array.isArray(data)) return data;
  return data.map((entry) => (typeof entry === 'string' ? entry : pythonJson(entry)));
}

/** Sets a new identifier, and the times that are missing. `now` is in the format of documents. */
function identify(record: Pick<Hit | Event, 'howler' | 'event'>, now: string): void {
  const id = newId();
  record.howler.id = id;
  if (record.event) {
    record.event.id = id;
    record.event.created ??= now;
  } else {
    record.event = { created: now, id, ingested: now };
  }
}

/** Matches names that read well; others are accepted with a warning. */
const GOOD_NAME = /^[A-Za-z ]+$/;

function nameWarnings({ howler: { analytic, detection } }: Hit): readonly string[] {
  return Object.entries({ analytic, detection }).flatMap(([kind, name]) =>
    !name || GOOD_NAME.test(name)
      ? []
      : `The value ${name} does not match best practices for Howler ${kind} names. See howler's documentation for more information.`,
  );
}

/** Makes verdict, escalation and status of a new alert agree. */
function agree({ howler }: Hit): readonly string[] {
  const warnings: string[] = [];
  if (howler.assessment) {
    const escalation = ESCALATION_OF_ASSESSMENT[howler.assessment];
    if (howler.escalation !== escalation) {
      howler.escalation = escalation;
      warnings.push(`Hits with assessment ${howler.assessment} must also have escalation set to ${escalation}.`);
    }
  }
  if ((howler.escalation === 'miss' || howler.escalation === 'evidence') && howler.status !== 'resolved') {
    howler.status = 'resolved';
    warnings.push('Hits with escalation miss or evidence must also have their status set to resolved.');
  }
  return warnings;
}

/**
 * Formats a value like Python's `json.dumps`, for hashes, raw records and log entries.
 * Clients of the public system hash the same text to look for duplicates, so the output is exact: separators `, ` and `: `, everything
 * outside ASCII escaped, integers without a fraction. No package for stable JSON offers these separators.
 * `sortKeys`: keys in the order of their code points, at every depth; default: as given.
 */
export function pythonJson(value: unknown, options: { readonly sortKeys?: boolean } = {}): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
    case 'bigint':
      return pythonRepr(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object': {
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map((item) => pythonJson(item, options)).join(', ')}]`;
      const members = Object.entries(value);
      if (options.sortKeys) members.sort(([left], [right]) => compareCodePoints(left, right));
      return `{${members.map(([key, member]) => `${quoted(key)}: ${pythonJson(member, options)}`).join(', ')}}`;
    }
    default:
      return 'null';
  }
}

/** JSON.stringify escapes quotes, backslashes and control characters the same way, and leaves the rest. */
function quoted(text: string): string {
  const json = JSON.stringify(text);
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
