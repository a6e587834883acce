import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { ExecutionRequest, OperationRequest } from './action-execution.ts';
import { rejectRepeated } from './action-input.ts';
import { readArguments } from './operation-arguments.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a request to run a saved action.
 * @returns `query`: what to run it on instead of its own query
 * @throws InvalidInput `invalid_execution`
 */
export function readSavedExecution(body: Json): { readonly requestId: string; readonly query: string | undefined } {
  return { requestId: requiredText(body, 'request_id'), query: optionalText(body, 'query') };
}

/**
 * Reads a request to run operations that are not saved.
 * @throws InvalidInput `invalid_execution`, `operation_repeated`, `invalid_operation_data`
 */
export function readExecution(body: Json): ExecutionRequest {
  const requestId = requiredText(body, 'request_id');
  const query = requiredText(body, 'query');
  const { operations } = body;
  if (!Array.isArray(operations)) throw invalid('operations', 'must be a list of operations');
  rejectRepeated(operations, 'You must have a maximum of one operation of each type in request.');
  return { requestId, query, operations: operations.map(readOperation) };
}

function readOperation(given: unknown): OperationRequest {
  if (!isObject(given)) throw invalid('operations', 'must be a list of objects');
  const { operation_id: id, data_json: data } = given;
  if (typeof id !== 'string' || id === '') throw invalid('operations', 'must each have an operation_id, a text');
  readArguments(id, data);
  return { operation_id: id, data_json: typeof data === 'string' ? data : undefined };
}

function requiredText(body: Json, key: string): string {
  const text = optionalText(body, key);
  if (text === undefined) throw invalid(key, 'is missing');
  return text;
}

function optionalText(body: Json, key: string): string | undefined {
  const value = Object.hasOwn(body, key) ? body[key] : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalid(key, 'must be a string');
  return value;
}

function invalid(key: string, problem: string): InvalidInput {
  return new InvalidInput('invalid_execution', `'${key}' ${problem}.`, { at: key });
}
