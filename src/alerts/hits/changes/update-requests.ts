import type { Collection } from '../../../datastore/port/collection.ts';
import type { QueryNode } from '../../../datastore/port/query-tree.ts';
import type { ReadAccess } from '../../../datastore/port/read-access.ts';
import type { Selection } from '../../../datastore/port/search.ts';
import type { UpdateOperation } from '../../../datastore/port/update-operations.ts';
import { INTEGER_LIMITS } from '../../../datastore/query-language/number-parsing.ts';
import { HISTORY_FIELDS } from '../../../documents/kinds/record-parts.ts';
import type { DocumentDefinition } from '../../../documents/schema/document-definition.ts';
import type { ClassificationRules, FieldSpec, GroupContent } from '../../../documents/schema/field-spec.ts';
import { ACCESS_FIELDS, type FieldTypeName } from '../../../documents/schema/field-types.ts';
import { valueAt } from '../../../documents/schema/plain-objects.ts';
import { readFieldValue } from '../../../documents/schema/read-document.ts';
import { pythonText } from '../../../documents/schema/values/python-text.ts';
import { InvalidInput, isTriadError } from '../../../errors/errors.ts';
import { addNumbers } from '../../../json/lossless-json.ts';
import { pythonJson } from './python-json.ts';

/** What callers may ask of a field; `[operation, key, value]` on the wire (contract/alert.md section 4.2). */
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

/**
 * Reads a list of operations as it was sent.
 * @throws InvalidInput `invalid_operations`, when it is no such list; `too_many_operations`; `unknown_operation`
 */
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

/** What the log of a document says of the operations; the end of a long value as `…`. `kind`: `Hit`. */
export function updateExplanation(kind: string, username: string, requested: readonly RequestedOperation[]): string {
  const lines = requested.map(({ operation, key, value }) => {
    const text = pythonJson(value);
    const shown = text.length > MAX_SHOWN_VALUE ? `${text.slice(0, MAX_SHOWN_VALUE - 1)}…` : text;
    return `- \`${operation}\` - \`${key}\` - \`${shown}\``;
  });
  return `${kind} updated by ${username}\n\n${lines.join('\n')}`;
}

/**
 * The operations as the datastore takes them, every value read as its field reads it.
 * @throws InvalidInput `protected_field`, `unknown_field`, `operation_unfit`, `invalid_value`, naming the field
 */
export function storeOperations<T>(
  definition: DocumentDefinition<T>,
  requested: readonly RequestedOperation[],
  classification: ClassificationRules,
): readonly UpdateOperation[] {
  for (const { key } of requested) rejectProtected(definition, key);
  return requested.map((request) => new Translation(definition, request, classification).operation());
}

/**
 * Refuses increments that would leave what their field can hold, given the document that they are applied to.
 * @throws InvalidInput `number_out_of_range`, naming the field
 */
export function checkIncrements<T>(
  definition: DocumentDefinition<T>,
  document: T,
  operations: readonly UpdateOperation[],
): void {
  const counted = new Set(operations.flatMap(({ op, path }) => (op === 'increment' ? [path] : [])));
  const values = new Map<string, unknown>();
  for (const operation of operations) {
    const { path } = operation;
    if (!counted.has(path)) continue;
    const before = values.has(path) ? values.get(path) : valueAt(document, path);
    const after = numberAfter(operation, before);
    values.set(path, after);
    if (operation.op !== 'increment') continue;
    try {
      readFieldValue(definition, path, after);
    } catch (cause) {
      const message = `The field ${path} cannot hold ${pythonText(before ?? 0)} changed by ${operation.by}`;
      throw new InvalidInput('number_out_of_range', message, { at: path, cause });
    }
  }
}

/**
 * Rejects an update by query whose increments would leave the range of an integer in a document that it finds.
 * @throws InvalidInput `number_out_of_range`, naming the field
 */
export async function assertIncrementsFit<T>(
  collection: Collection<T>,
  selection: Selection,
  operations: readonly UpdateOperation[],
  access: ReadAccess,
): Promise<void> {
  const changes = new Map<string, bigint>();
  for (const operation of operations) {
    if (operation.op !== 'increment') continue;
    const kind = collection.definition.fieldByPath.get(operation.path)?.searchKind;
    if (kind === 'integer' || kind === 'long') {
      changes.set(operation.path, (changes.get(operation.path) ?? 0n) + BigInt(operation.by));
    }
  }
  for (const [field, by] of changes) {
    const isLong = collection.definition.fieldByPath.get(field)?.searchKind === 'long';
    const { min, max } = INTEGER_LIMITS[isLong ? 'long' : 'integer'];
    const bound = by > 0n ? max - by : min - by;
    const end = { value: isLong ? bound : Number(bound), inclusive: false };
    const beyond: QueryNode = { kind: 'range', field, ...(by > 0n ? { lower: end } : { upper: end }) };
    const filters = [...(selection.filters ?? []), beyond];
    if (by === 0n || (await collection.count({ ...selection, filters }, access)) === 0) continue;
    const message = `The field ${field} holds integers from ${min} to ${max}, and a change by ${by} would leave them`;
    throw new InvalidInput('number_out_of_range', message, { at: field });
  }
}

/** What an operation makes of a number. */
function numberAfter(operation: UpdateOperation, before: unknown): unknown {
  const number = typeof before === 'number' || typeof before === 'bigint' ? before : undefined;
  switch (operation.op) {
    case 'set':
      return operation.value;
    case 'unset':
      return undefined;
    case 'increment':
      return addNumbers(number ?? 0, operation.by);
    case 'max':
      return number === undefined || number < (operation.value as number | bigint) ? operation.value : number;
    case 'min':
      return number === undefined || number > (operation.value as number | bigint) ? operation.value : number;
    default:
      return before;
  }
}

/**
 * Rejects operations on what decides who may see a document, what identifies it, and who did what with it, and on objects that
 * hold one of these.
 */
function rejectProtected(definition: DocumentDefinition<unknown>, key: string): void {
  const kept = [definition.classificationField, definition.idField, ...ACCESS_FIELDS, ...HISTORY_FIELDS];
  if (!kept.some((field) => field === key || field?.startsWith(`${key}.`))) return;
  throw new InvalidInput('protected_field', `Cannot modify protected field ${key} through bulk updates`, { at: key });
}

const NUMBERS: readonly FieldTypeName[] = ['integer', 'long', 'float'];

/** One operation on its way from the wire to the datastore. */
class Translation {
  readonly #definition: DocumentDefinition<unknown>;
  readonly #request: RequestedOperation;
  readonly #field: FieldSpec;
  readonly #classification: ClassificationRules;

  constructor(
    definition: DocumentDefinition<unknown>,
    request: RequestedOperation,
    classification: ClassificationRules,
  ) {
    this.#definition = definition;
    this.#request = request;
    this.#classification = classification;
    const field = fieldAt(definition.root, request.key);
    if (field === undefined) {
      throw new InvalidInput('unknown_field', `Invalid field for model: ${request.key}`, { at: request.key });
    }
    this.#field = field;
  }

  operation(): UpdateOperation {
    const { operation, key: path, value } = this.#request;
    switch (operation) {
      case 'SET': {
        // Null takes a field away; one with a default reads as that from then on, in searches too.
        const stored = this.#read(value === null ? this.#default() : value);
        if (stored !== null) return { op: 'set', path, value: stored };
        if (!this.#isMember() && !this.#field.optional) throw this.#invalidValue();
        return { op: 'unset', path };
      }
      case 'INC':
      case 'DEC': {
        const by = this.#number();
        return { op: 'increment', path, by: operation === 'INC' ? by : -by };
      }
      case 'MAX':
      case 'MIN':
        return { op: operation === 'MAX' ? 'max' : 'min', path, value: this.#comparable() };
      case 'APPEND':
        return { op: 'append', path, value: this.#item() };
      case 'APPEND_IF_MISSING':
        return { op: 'append_missing', path, value: this.#item() };
      case 'REMOVE':
        return { op: 'remove', path, value: this.#item() };
      case 'DELETE':
        return { op: 'remove_at', path, key: this.#position() };
    }
  }

  #default(): unknown {
    const { default: value, list, content } = this.#field;
    if (value !== undefined && typeof value !== 'symbol') return value;
    if (list) return [];
    return content.kind === 'mapping' ? {} : null;
  }

  #number(): number | bigint {
    const type = this.#type();
    if (this.#field.list || type === undefined || !NUMBERS.includes(type)) throw this.#unfit();
    const read = this.#read(this.#request.value);
    if (typeof read !== 'number' && typeof read !== 'bigint') throw this.#invalidValue();
    return read;
  }

  #comparable(): number | bigint | string {
    const type = this.#type();
    if (this.#field.list || type === undefined || type === 'boolean') throw this.#unfit();
    const read = this.#read(this.#request.value);
    if (typeof read === 'number' || typeof read === 'bigint' || typeof read === 'string') return read;
    throw this.#invalidValue();
  }

  #item(): unknown {
    if (!this.#field.list) throw this.#unfit();
    const read = this.#read(this.#request.value, { item: true });
    if (read === null) throw this.#invalidValue();
    return read;
  }

  #position(): number | string {
    const { value } = this.#request;
    if (this.#field.list) {
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
      throw this.#invalidValue();
    }
    if (this.#field.content.kind !== 'mapping') throw this.#unfit();
    if (typeof value === 'string') return value;
    throw this.#invalidValue();
  }

  /** Whether the field is one key of a mapping. */
  #isMember(): boolean {
    return !this.#definition.fieldByPath.has(this.#request.key) && this.#type() !== undefined;
  }

  #read(value: unknown, { item = false }: { readonly item?: boolean } = {}): unknown {
    const { key } = this.#request;
    const options = { item, classification: this.#classification };
    try {
      if (!this.#isMember() || value === null) return readFieldValue(this.#definition, key, value, options);
      // Read with its key, which has rules of its own.
      const end = key.lastIndexOf('.');
      const name = key.slice(end + 1);
      const read = readFieldValue(this.#definition, key.slice(0, end), { [name]: value }, options);
      return (read as Readonly<Record<string, unknown>>)[name] ?? null;
    } catch (error) {
      if (isTriadError(error) && error.kind === 'invalid_input') throw this.#invalidValue(error);
      throw error;
    }
  }

  /** Undefined: an object. */
  #type(): FieldTypeName | undefined {
    const { content } = this.#field;
    return content.kind === 'value' ? content.type : undefined;
  }

  #unfit(): InvalidInput {
    const { operation, key } = this.#request;
    const kind = `${this.#field.list ? 'a list of ' : ''}${this.#type() ?? this.#field.content.kind}`;
    return new InvalidInput(
      'operation_unfit',
      `Operation ${operation} does not fit the field ${key}, which is ${kind}`,
      {
        at: key,
      },
    );
  }

  #invalidValue(cause?: Error): InvalidInput {
    const { key, value } = this.#request;
    const shown = pythonText(value);
    const message = `Invalid value for field ${key}: ${shown.length > 200 ? `${shown.slice(0, 200)}…` : shown}`;
    return new InvalidInput('invalid_value', message, { at: key, cause });
  }
}

/** The field at a path; below a mapping, that of its values. Objects in lists have no path of their own. */
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
