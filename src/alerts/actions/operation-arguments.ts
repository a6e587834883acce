import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { parseJson } from '../../json/lossless-json.ts';

/** Arguments of an operation, by name. Which ones there are the operation knows; others are ignored. */
export type OperationArguments = Readonly<Record<string, unknown>>;

/**
 * Reads the arguments of an operation, which are kept as JSON text. None: no arguments.
 * @throws InvalidInput `invalid_operation_data`
 */
export function readArguments(operationId: string, dataJson: unknown): OperationArguments {
  if (dataJson === undefined || dataJson === null || dataJson === '') return {};
  const given = typeof dataJson === 'string' ? parsed(dataJson) : undefined;
  if (isObject(given)) return given;
  const message = `The data_json of the operation ${operationId} must be the JSON text of an object.`;
  throw new InvalidInput('invalid_operation_data', message, { at: 'operations' });
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * An argument as text; numbers and booleans count as the text that people would write. Undefined when it is absent or empty.
 * @throws InvalidInput `invalid_operation_data`, for lists and objects
 */
export function textArgument(given: OperationArguments, name: string): string | undefined {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'object') {
    throw new InvalidInput('invalid_operation_data', `The argument ${name} must be a string.`, { at: name });
  }
  return String(value);
}
