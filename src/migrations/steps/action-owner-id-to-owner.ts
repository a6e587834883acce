import { changeDocument } from '../../datastore/port/change-document.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { type Action, actionDocument } from '../../documents/kinds/action.ts';
import type { MigrationRun } from '../migration.ts';
import { whenSearchable } from '../when-searchable.ts';

const ACCESS = unrestricted('a migration changes documents of every classification');

/**
 * Moves `owner_id` of actions of older versions to `owner`, unless there is one; a null stays.
 * Reads all actions, which are few: no definition has `owner_id` any more, so an engine may not have indexed it.
 */
export const actionOwnerIdToOwner: MigrationRun = async ({ datastore, progress, warn, signal }) => {
  const actions = datastore.collection(actionDocument);
  const selection = { query: MATCH_ALL };
  const total = await whenSearchable(() => actions.count(selection, ACCESS), { warn, signal });
  let [done, changed] = [0, 0];
  progress(0, total);
  for await (const { id, document } of actions.stream(selection, ACCESS)) {
    signal.throwIfAborted();
    if (withoutOwnerId(document) !== document) {
      // Decided again on the present version: others may have changed or deleted the action.
      const saved = await changeDocument(actions, id, withoutOwnerId, { access: ACCESS, visible: 'now' });
      if (saved !== undefined) changed += 1;
    }
    done += 1;
    progress(done, Math.max(done, total));
  }
  return changed;
};

/** Returns the same object if there is nothing to change. */
function withoutOwnerId(action: Action): Action {
  const { owner_id: legacy, ...rest } = action as Action & { readonly owner_id?: string | null };
  if (legacy === undefined || legacy === null) return action;
  return { ...rest, owner: rest.owner ?? legacy };
}
