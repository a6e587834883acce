import { countRecords } from '../../api/alert-searches.ts';
import { alerts, dataOf, versionedDataOf } from '../../api/clients.ts';
import type { components } from '../../api/generated/alerts.ts';
import { changedMembers } from '../../design/forms/form-state.ts';
import type { CountAlerts } from './dry-run.ts';
import type { StoredOperation } from './operation-arguments.ts';

export type Action = components['schemas']['Action'];
export type Trigger = Action['triggers'][number];

export const TRIGGERS: readonly Trigger[] = ['create', 'promote', 'demote', 'add_label', 'remove_label'];

/** The members of an action that its form changes. */
export interface ActionChange {
  readonly name: string;
  readonly query: string;
  readonly triggers: readonly Trigger[];
  readonly operations: readonly StoredOperation[];
}

type Options = { readonly signal: AbortSignal };

const ACTIONS = ['alerts', 'actions'] as const;
/** Key of everything that is known of actions. */
export const actionsKey = ACTIONS;

export const actionsQuery = {
  queryKey: [...ACTIONS, 'list'],
  queryFn: ({ signal }: Options) => dataOf(alerts.GET('/api/v1/action/', { signal })),
};

export const actionQuery = (id: string) => ({
  queryKey: [...ACTIONS, 'one', id],
  queryFn: ({ signal }: Options) =>
    versionedDataOf(alerts.GET('/api/v1/action/{id}', { params: { path: { id } }, signal })),
});

export const operationsQuery = {
  queryKey: [...ACTIONS, 'operations'],
  queryFn: async ({ signal }: Options) => {
    const operations = await dataOf(alerts.GET('/api/v1/action/operations', { signal }));
    return operations.toSorted((one, other) => (other.priority ?? 0) - (one.priority ?? 0));
  },
  staleTime: Number.POSITIVE_INFINITY,
};

export const runsQuery = (id: string) => ({
  queryKey: [...ACTIONS, 'runs', id],
  queryFn: ({ signal }: Options) =>
    dataOf(alerts.GET('/api/v1/action/{id}/runs', { params: { path: { id } }, signal })),
});

const bodyOf = ({ triggers, operations, ...rest }: ActionChange) => ({
  ...rest,
  triggers: [...triggers],
  operations: [...operations],
});

export function createAction(change: ActionChange): Promise<Action> {
  return dataOf(alerts.POST('/api/v1/action/', { body: bodyOf(change) }));
}

/** Triggers are always sent: to leave them out is to remove them. */
export function changeAction(id: string, change: ActionChange, stored: ActionChange): Promise<Action> {
  const { triggers, ...rest } = bodyOf(change);
  const body = { ...changedMembers(rest, bodyOf(stored)), triggers };
  return dataOf(alerts.PUT('/api/v1/action/{id}', { params: { path: { id } }, body }));
}

export async function deleteAction(id: string): Promise<void> {
  await alerts.DELETE('/api/v1/action/{id}', { params: { path: { id } } });
}

/** Lets people change an action and its permissions, and others no longer. */
export async function changeAdministrators(
  id: string,
  { given, taken }: { readonly given: readonly string[]; readonly taken: readonly string[] },
): Promise<void> {
  const params = { path: { id } };
  const lines = (names: readonly string[]) => names.map((user_id) => ({ privilege: 'admins' as const, user_id }));
  const path = '/api/v1/action/{id}/permission';
  if (given.length > 0) await alerts.PUT(path, { params, body: lines(given) });
  if (taken.length > 0) await alerts.DELETE(path, { params, body: lines(taken) });
}

export const countAlerts: CountAlerts = (query, filters) => countRecords({ query, filters });
