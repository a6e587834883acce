import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import { actionDocument } from '../../documents/kinds/action.ts';
import { changeDocuments } from '../change-documents.ts';
import type { MigrationRun } from '../migration.ts';

/**
 * Actions written before the shared ownership fields have their owner in `owner_id`.
 * It moves to `owner`, unless there is one; a null `owner_id` stays. Every action is looked at instead of those that a
 * search finds, since no definition has `owner_id` any more and an engine may not have indexed it; there are few
 * actions. Public system: Howler 4.1.
 */
export const actionOwnerIdToOwner: MigrationRun = (context) =>
  changeDocuments(
    {
      collection: context.datastore.collection(actionDocument),
      selection: { query: MATCH_ALL },
      change: (action: object): readonly UpdateOperation[] | undefined => {
        const { owner_id: legacy, owner } = action as { owner_id?: unknown; owner?: unknown };
        if (legacy === undefined || legacy === null) return undefined;
        const remove: UpdateOperation = { op: 'unset', path: 'owner_id' };
        if (owner !== undefined && owner !== null) return [remove];
        return [{ op: 'set', path: 'owner', value: legacy }, remove];
      },
    },
    context,
  );
