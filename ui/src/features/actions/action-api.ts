import { countRecords } from '../../api/alert-searches.ts';
import { alerts, dataOf, versionedDataOf } from '../../api/clients.ts';
import type { components } from '../../api/generated/alerts.ts';
import { changedMembers } from '../../design/forms/form-state.ts';
import type { VersionHeaders } from '../conflicts/present-version.ts';
import type { Permission } from '../saved/permissions.tsx';
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
  queryFn: ({ signal }: Options) => dataOf(alerts.GET('/api/v1/action/{id}', { params: { path: { id } }, signal })),
});

/** Reads an action with its version, as it is now. */
export const readAction = (id: string) =>
  versionedDataOf(alerts.GET('/api/v1/action/{id}', { params: { path: { id } } }));

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

/**
 * Sends the members that differ from the present ones to that version of an action.
 * Triggers are always sent, as they are now unless they are changed: to leave them out is to remove them.
 */
export function changeAction(
  id: string,
  wanted: ActionChange,
  present: ActionChange,
  headers: VersionHeaders,
): Promise<Action> {
  const { triggers, ...rest } = bodyOf(wanted);
  const body = { ...changedMembers(rest, bodyOf(present)), triggers };
  return dataOf(alerts.PUT('/api/v1/action/{id}', { params: { path: { id } }, body, headers }));
}

export async function deleteAction(id: string): Promise<void> {
  await alerts.DELETE('/api/v1/action/{id}', { params: { path: { id } } });
}

export async function grantPermissions(id: string, body: Permission[]): Promise<void> {
  await alerts.PUT('/api/v1/action/{id}/permission', { params: { path: { id } }, body });
}

export async function revokePermissions(id: string, body: Permission[]): Promise<void> {
  await alerts.DELETE('/api/v1/action/{id}/permission', { params: { path: { id } }, body });
}

export const countAlerts: CountAlerts = (query, filters) => countRecords({ query, filters });
