import type { AliasAction, IndexAdmin, IndexInfo } from '../port/index-admin.ts';
import { type CollectionIndices, carries, isMarkedForWriting } from './collection-indices.ts';

/**
 * Sees to it that the newest generation takes the new documents, and that an index from before the
 * lifecycle is not searched any more. Where the alias is gone altogether, everything gets it. Whether something was
 * wrong.
 * @throws NotFound `alias_missing`, when another process changed the alias meanwhile: look again
 */
export async function repairAlias(admin: IndexAdmin, found: CollectionIndices): Promise<boolean> {
  const actions = repairs(found);
  if (actions.length > 0) await admin.switchAliases(actions);
  return actions.length > 0;
}

function repairs({ alias, generations, hot, behindAlias }: CollectionIndices): readonly AliasAction[] {
  const newest = generations.at(-1);
  const isGone = behindAlias.length === 0;
  if (newest === undefined) {
    return hot !== undefined && isGone ? [{ kind: 'add', index: hot.name, alias }] : [];
  }
  // Documents that did not come over yet are no mistake of the alias.
  if (!isGone && !generations.some((index) => carries(index, alias))) return [];
  const actions: AliasAction[] = [];
  const add = (index: IndexInfo, writeIndex: boolean) =>
    actions.push({ kind: 'add', index: index.name, alias, writeIndex });
  for (const index of isGone ? generations : behindAlias) {
    if (index.name === newest.name) continue;
    if (index.name === hot?.name) actions.push({ kind: 'remove', index: hot.name, alias });
    else if (isGone || isMarkedForWriting(index, alias)) add(index, false);
  }
  if (!isMarkedForWriting(newest, alias)) add(newest, true);
  return actions;
}
