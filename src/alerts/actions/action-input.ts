import { type Action, actionDocument, TRIGGERS } from '../../documents/kinds/action.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { rejectBrokenQuery } from '../saved-query.ts';
import { readArguments } from './operation-arguments.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a whole action, new or changed, in the order in which clients know the refusals. Operations that this installation does
 * not have are kept: they may come from an extension that is switched off.
 * @throws InvalidInput `action_incomplete`, `operation_repeated`, `invalid_trigger`, `invalid_operation_data`, `invalid_query` with the
 *   position, `invalid_document` with the path
 */
export function readAction(input: Json): Action {
  requireText(input, 'name', 'Name');
  requireText(input, 'query', 'Query');
  checkOperations(input.operations);
  const { triggers } = input;
  if (triggers !== undefined && triggers !== null && !isListOfTriggers(triggers)) {
    throw new InvalidInput('invalid_trigger', 'Invalid trigger provided.', { at: 'triggers' });
  }
  const { document } = readDocument(actionDocument, input, { unknown: 'drop' });
  rejectBrokenQuery(document.query, 'You must use a valid query in an action.');
  for (const { operation_id: id, data_json: data } of document.operations) readArguments(id, data);
  return document;
}

function requireText(input: Json, key: 'name' | 'query', label: string): void {
  const value = input[key];
  if (value === undefined) throw new InvalidInput('action_incomplete', `You must specify a ${key}.`, { at: key });
  if (!value || (Array.isArray(value) && value.length === 0)) {
    throw new InvalidInput('action_incomplete', `${label} cannot be empty.`, { at: key });
  }
}

function checkOperations(operations: unknown): void {
  const refuse = (message: string) => new InvalidInput('action_incomplete', message, { at: 'operations' });
  if (operations === undefined || operations === null) throw refuse('You must specify a list of operations.');
  if (!Array.isArray(operations)) throw refuse("'operations' must be a list of operations.");
  if (operations.length === 0) throw refuse('You must specify at least one operation.');
  rejectRepeated(operations, 'You must have a maximum of one operation of each type in the action.');
}

/** @throws InvalidInput `operation_repeated`, with `message` */
export function rejectRepeated(operations: readonly unknown[], message: string): void {
  const ids = operations.flatMap((operation) => (isObject(operation) ? [operation.operation_id] : []));
  if (new Set(ids).size !== ids.length) throw new InvalidInput('operation_repeated', message, { at: 'operations' });
}

function isListOfTriggers(triggers: unknown): boolean {
  return Array.isArray(triggers) && triggers.every((trigger) => TRIGGERS.some((known) => known === trigger));
}
