import type { Collection } from '../../datastore/port/collection.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { type Action, actionDocument, TRIGGERS } from '../../documents/kinds/action.ts';
import { isObject, isSameSet } from '../../documents/schema/plain-objects.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { mayChange } from '../saved-objects/ownership-service.ts';
import {
  ALL_MAY_READ,
  type Json,
  mayDelete,
  notChangeable,
  rejectPermissions,
  type SavedObjectKind,
  SavedObjects,
} from '../saved-objects/saved-objects.ts';
import { rejectBrokenQuery } from '../saved-query.ts';
import { readArguments } from './operation.ts';

const MAX_LISTED = 250;

/**
 * Actions belong to their creator; all users with a role for actions see them.
 * Without the role automation_advanced the triggers must be sent as they are stored, in any order; leaving them out
 * counts as removing them: Forbidden `triggers_denied`.
 */
const actionKind: SavedObjectKind<Action> = {
  definition: actionDocument,
  list: () => ({ query: MATCH_ALL, rows: MAX_LISTED, access: ALL_MAY_READ }),
  read(actor, input) {
    const action = readAction({ ...input, owner: actor.username });
    assertTriggers(actor, action.triggers, []);
    return action;
  },
  checkChange: rejectPermissions,
  change(actor, action, change) {
    assertTriggers(actor, change.triggers, action.triggers ?? []);
    if (!mayChange(actor, action)) throw new Forbidden('action_not_owned', notChangeable('an action'));
    return readAction({ ...action, ...change, action_id: action.action_id });
  },
  assertDeletable(actor, action) {
    if (mayDelete(actor, action)) return;
    throw new Forbidden('action_not_owned', 'You do not have the permissions necessary to delete this action.');
  },
  missing(_id, operation) {
    const messages = {
      get: 'The specified action does not exist',
      update: 'The specified automation does not exist',
      delete: 'Action does not exist',
    };
    return new NotFound('action_missing', messages[operation]);
  },
};

/** Saved actions: operations on the alerts of a query. */
export class ActionService extends SavedObjects<Action> {
  constructor(actions: Collection<Action>) {
    super(actions, actionKind);
  }
}

/**
 * Reads a whole action, new or changed, and checks it in the order that clients know.
 * Operations that this installation does not have are kept: they may come from an extension that is switched off.
 * @throws InvalidInput `action_incomplete`, `operation_repeated`, `invalid_trigger`, `invalid_operation_data`, `invalid_query` with the
 *   position, `invalid_document` with the path
 */
function readAction(input: Json): Action {
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

/** Rejects triggers, which run for every user, without automation_advanced: throws `triggers_denied`. */
function assertTriggers(actor: Actor, wanted: unknown, present: readonly string[]): void {
  if (actor.roles.has('automation_advanced')) return;
  if (isSameSet(wanted ?? [], present)) return;
  throw new Forbidden('triggers_denied', "Updating triggers requires the role 'automation_advanced'.");
}
