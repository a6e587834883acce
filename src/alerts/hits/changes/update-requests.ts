import type { UpdateOperation } from '../../../datastore/port/update-operations.ts';
import { HISTORY_FIELDS } from '../../../documents/kinds/record-parts.ts';
import type { DocumentDefinition } from '../../../documents/schema/document-definition.ts';
import type { ClassificationRules, FieldSpec, GroupContent } from '../../../documents/schema/field-spec.ts';
import { ACCESS_FIELDS, type FieldTypeName } from '../../../documents/schema/field-types.ts';
import { readFieldValue } from '../../../documents/schema/read-document.ts';
import { pythonText } from '../../../documents/schema/values/python-text.ts';
import { InvalidInput, isTriadError } from '../../../errors/errors.ts';
import { pythonJson } from '../new-record.ts';

/** Operations on fields, `[operation, key, value]` in requests (contract/alert.md section 4.2). */
export const OPERATIONS = [
  'SET',
  'INC',
  'DEC',
  'MAX',
  'MIN',
  'APPEND',
  'APPEND_IF_MISSING',
  'REMOVE',
  'DELETE',
] as const;
export type OperationName = (typeof OPERATIONS)[number];

export interface RequestedOperation {
  readonly operation: OperationName;
  /** Dotted path. */
  readonly key: string;
  readonly value: unknown;
}

/** Operations of one request. */
export const MAX_OPERATIONS = 500;

/** @throws InvalidInput `invalid_operations`, `too_many_operations`, `unknown_operation` */
export function readOperations(input: unknown): readonly RequestedOperation[] {
  if (!Array.isArray(input)) {
    throw new InvalidInput('invalid_operations', 'Operations must be a list of [operation, key, value].');
  }
  if (input.length > MAX_OPERATIONS) {
    const message = `${input.length} operations were sent; at most ${MAX_OPERATIONS} are allowed in one request.`;
    throw new InvalidInput('too_many_operations', message);
  }
  return input.map((entry: unknown, index): RequestedOperation => {
    if (!Array.isArray(entry) || entry.length !== 3 || typeof entry[1] !== 'string') {
      throw new InvalidInput('invalid_operations', `Operation ${index} must be a list [operation, key, value].`, {
        at: index,
      });
    }
    const [name, key, value] = entry as [unknown, string, unknown];
    const operation = OPERATIONS.find((known) => known === name);
    if (operation === undefined) {
      const message = `Operation ${pythonText(name)} not found in ESCollection.UPDATE_OPERATIONS`;
      throw new InvalidInput('unknown_operation', message, { at: index });
    }
    return { operation, key, value };
  });
}

/** Characters that the log shows of the value of an operation. */
const MAX_SHOWN_VALUE = 1000;

/** Describes operations for the log, in words that clients of the public system know, for events too. */
export function updateExplanation(username: string, requested: readonly RequestedOperation[]): string {
  const lines = requested.map(({ operation, key, value }) => {
    const text = pythonJson(value);
    const shown = text.length > MAX_SHOWN_VALUE ? `${text.slice(0, MAX_SHOWN_VALUE - 1)}…` : text;
    return `- \`${operation}\` - \`${key}\` - \`${shown}\``;
  });
  return `Hit updated by ${username}\n\n${lines.join('\n')}`;
}

/** Reads values; throws `protected_field`, `unknown_field`, `operation_unfit`, `invalid_value`. */
export function storeOperations<T>(
  definition: DocumentDefinition<T>,
  requested: readonly RequestedOperation[],
  classification: ClassificationRules,
): readonly UpdateOperation[] {
  for (const { key } of requested) rejectProtected(definition, key);
  return requested.map((request) => storeOperation(definition, request, classification));
}

/** Rejects operations on fields of access, identity and history, and on objects that hold one of them. */
function rejectProtected(definition: DocumentDefinition<unknown>, key: string): void {
  const kept = [definition.classificationField, definition.idField, ...ACCESS_FIELDS, ...HISTORY_FIELDS];
  if (!kept.some((field) => field === key || field?.startsWith(`${key}.`))) return;
  throw new InvalidInput('protected_field', `Cannot modify protected field ${key} through bulk updates`, { at: key });
}

const NUMBERS: readonly FieldTypeName[] = ['integer', 'long', 'float'];

function storeOperation(
  definition: DocumentDefinition<unknown>,
  { operation, key: path, value }: RequestedOperation,
  classification: ClassificationRules,
): UpdateOperation {
  const field = fieldAt(definition.root, path);
  if (field === undefined) {
    throw new InvalidInput('unknown_field', `Invalid field for model: ${path}`, { at: path });
  }
  const { list, content } = field;
  /** Undefined: an object. */
  const type = content.kind === 'value' ? content.type : undefined;
  /** The field is one key of a mapping. */
  const isMember = type !== undefined && !definition.fieldByPath.has(path);
  const unfit = () => {
    const kind = `${list ? 'a list of ' : ''}${type ?? content.kind}`;
    const message = `Operation ${operation} does not fit the field ${path}, which is ${kind}`;
    return new InvalidInput('operation_unfit', message, { at: path });
  };
  const invalid = (cause?: Error) => {
    const text = pythonText(value);
    const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
    return new InvalidInput('invalid_value', `Invalid value for field ${path}: ${shown}`, { at: path, cause });
  };
  const read = (given: unknown, { item = false } = {}): unknown => {
    const options = { item, classification };
    try {
      if (!isMember || given === null) return readFieldValue(definition, path, given, options);
      // Read with its key, which has rules of its own.
      const end = path.lastIndexOf('.');
      const name = path.slice(end + 1);
      const mapping = readFieldValue(definition, path.slice(0, end), { [name]: given }, options);
      return (mapping as Readonly<Record<string, unknown>>)[name] ?? null;
    } catch (error) {
      if (isTriadError(error) && error.kind === 'invalid_input') throw invalid(error);
      throw error;
    }
  };
  const readAs = <T>(isFit: boolean, isKind: (read: unknown) => read is T, options = {}): T => {
    if (!isFit) throw unfit();
    const stored = read(value, options);
    if (!isKind(stored)) throw invalid();
    return stored;
  };
  const readItem = () => readAs(list, (stored): stored is NonNullable<unknown> => stored !== null, { item: true });

  switch (operation) {
    case 'SET': {
      // Null takes a field away; one with a default reads as that from then on, in searches too.
      const stored = read(value === null ? emptyValue(field) : value);
      if (stored !== null) return { op: 'set', path, value: stored };
      if (!isMember && !field.optional) throw invalid();
      return { op: 'unset', path };
    }
    case 'INC':
    case 'DEC': {
      const by = readAs(!list && type !== undefined && NUMBERS.includes(type), isNumber);
      return { op: 'increment', path, by: operation === 'INC' ? by : -by };
    }
    case 'MAX':
    case 'MIN': {
      const bound = readAs(!list && type !== undefined && type !== 'boolean', isComparable);
      return { op: operation === 'MAX' ? 'max' : 'min', path, value: bound };
    }
    case 'APPEND':
      return { op: 'append', path, value: readItem() };
    case 'APPEND_IF_MISSING':
      return { op: 'append_missing', path, value: readItem() };
    case 'REMOVE':
      return { op: 'remove', path, value: readItem() };
    case 'DELETE': {
      if (!list && content.kind !== 'mapping') throw unfit();
      const isKey = list ? Number.isSafeInteger(value) && Number(value) >= 0 : typeof value === 'string';
      if (!isKey) throw invalid();
      return { op: 'remove_at', path, key: value as number | string };
    }
  }
}

/** Returns the value of a field that is cleared; null: it is absent then. */
function emptyValue({ default: value, list, content }: FieldSpec): unknown {
  if (value !== undefined && typeof value !== 'symbol') return value;
  if (list) return [];
  return content.kind === 'mapping' ? {} : null;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isComparable(value: unknown): value is number | bigint | string {
  return isNumber(value) || typeof value === 'string';
}

/** Returns the field at a path; below a mapping, that of its values. Objects in lists have no path. */
function fieldAt(root: GroupContent, path: string): FieldSpec | undefined {
  let group: GroupContent | undefined = root;
  let found: FieldSpec | undefined;
  for (const name of path.split('.')) {
    if (found?.content.kind === 'mapping' && group === undefined) {
      found = found.content.item;
      continue;
    }
    if (group === undefined || !Object.hasOwn(group.fields, name)) return undefined;
    found = group.fields[name];
    group = found?.content.kind === 'group' && !found.list ? found.content : undefined;
  }
  return found;
}
