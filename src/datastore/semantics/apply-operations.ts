import { isDeepStrictEqual } from 'node:util';
import { setOwn } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { addNumbers } from '../../json/lossless-json.ts';
import type { UpdateOperation } from '../port/update-operations.ts';

type JsonObject = Record<string, unknown>;

/** Applies operations in place; returns whether any changed it. After `invalid_update`, discard it. */
export function applyOperations(document: JsonObject, operations: readonly UpdateOperation[]): boolean {
  let changed = false;
  for (const operation of operations) changed = applyOperation(document, operation) || changed;
  return changed;
}

function applyOperation(document: JsonObject, operation: UpdateOperation): boolean {
  switch (operation.op) {
    case 'set':
      return replace(document, operation.path, () => copyOf(operation.value));
    case 'set_from': {
      const value = readPath(document, operation.from);
      return value !== undefined && value !== null && replace(document, operation.path, () => copyOf(value));
    }
    case 'unset': {
      const [parent, name] = parentOf(document, operation.path, false);
      if (parent === undefined || !Object.hasOwn(parent, name)) return false;
      delete parent[name];
      return true;
    }
    case 'increment':
      return replace(document, operation.path, (present) => {
        if (present === undefined || present === null) return operation.by;
        if (typeof present !== 'number' && typeof present !== 'bigint')
          throw unfit(operation.path, 'a number', present);
        return addNumbers(present, operation.by);
      });
    case 'max':
    case 'min':
      return replace(document, operation.path, (present) => {
        if (present === undefined || present === null) return operation.value;
        const kind = comparableKind(operation.value);
        if (comparableKind(present) !== kind) throw unfit(operation.path, `a ${kind}`, present);
        const smaller = (present as number) < (operation.value as number);
        const larger = (present as number) > (operation.value as number);
        return (operation.op === 'max' ? smaller : larger) ? operation.value : present;
      });
    case 'append':
    case 'prepend':
    case 'append_missing':
    case 'prepend_missing': {
      const { op, path, value } = operation;
      if (op.endsWith('_missing') && indexOf(listOf(path, readPath(document, path)), value) >= 0) return false;
      const list = listAt(document, path);
      if (op.startsWith('append')) list.push(copyOf(value));
      else list.unshift(copyOf(value));
      return true;
    }
    case 'remove': {
      const index = indexOf(listOf(operation.path, readPath(document, operation.path)), operation.value);
      if (index < 0) return false;
      listAt(document, operation.path).splice(index, 1);
      return true;
    }
    case 'remove_at':
      return removeAt(document, operation.path, operation.key);
  }
}

function removeAt(document: JsonObject, path: string, key: number | string): boolean {
  const present = readPath(document, path);
  if (Array.isArray(present)) {
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index >= present.length) return false;
    present.splice(index, 1);
    return true;
  }
  if (!isObject(present) || !Object.hasOwn(present, key)) return false;
  delete present[key];
  return true;
}

/** Sets what `next` makes of the present value; an undefined result or an equal one is not a change. */
function replace(document: JsonObject, path: string, next: (present: unknown) => unknown): boolean {
  const present = readPath(document, path);
  const value = next(present);
  if (value === undefined || isDeepStrictEqual(present, value)) return false;
  const [parent, name] = parentOf(document, path, true);
  setOwn(parent, name, value);
  return true;
}

function parentOf(document: JsonObject, path: string, create: true): [JsonObject, string];
function parentOf(document: JsonObject, path: string, create: boolean): [JsonObject | undefined, string];
function parentOf(document: JsonObject, path: string, create: boolean): [JsonObject | undefined, string] {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at = document;
  for (const name of names) {
    const next = Object.hasOwn(at, name) ? at[name] : undefined;
    if (isObject(next)) at = next;
    else if (next !== undefined && next !== null) throw unfit(path, `an object at ${name}`, next);
    else if (create) at = setOwn<JsonObject>(at, name, {});
    else return [undefined, last];
  }
  return [at, last];
}

function readPath(document: JsonObject, path: string): unknown {
  const [parent, name] = parentOf(document, path, false);
  return parent !== undefined && Object.hasOwn(parent, name) ? parent[name] : undefined;
}

/** Returns the list at a path, which is changed in place, so that many operations take linear time. */
function listAt(document: JsonObject, path: string): unknown[] {
  const present = readPath(document, path);
  if (Array.isArray(present)) return present;
  const list = [...listOf(path, present)];
  const [parent, name] = parentOf(document, path, true);
  setOwn(parent, name, list);
  return list;
}

/** Copies, because a later operation may change what an earlier one stored, not the caller's value. */
function copyOf(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

function indexOf(list: readonly unknown[], value: unknown): number {
  if (typeof value === 'string') return list.indexOf(value);
  return list.findIndex((item) => isDeepStrictEqual(item, value));
}

/** Search engines store a list of one as the bare value. */
function listOf(path: string, present: unknown): readonly unknown[] {
  if (present === undefined || present === null) return [];
  if (Array.isArray(present)) return present;
  if (isObject(present)) throw unfit(path, 'a list', present);
  return [present];
}

/** Integers beyond 2^53 are bigint and compare with numbers. */
function comparableKind(value: unknown): string {
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unfit(path: string, expected: string, present: unknown): InvalidInput {
  const found = Array.isArray(present) ? 'a list' : isObject(present) ? 'an object' : JSON.stringify(present);
  const message = `The update of ${path} needs ${expected}, but the document holds ${found}.`;
  return new InvalidInput('invalid_update', message, { at: path });
}
