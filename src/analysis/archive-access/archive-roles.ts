import type { Actor } from '../../identity/actor.ts';

/** Returns whether the actor may read a document, which may be from the archive. */
export function mayReadFromArchive(
  actor: Partial<Pick<Actor, 'roles'>>,
  document: { readonly from_archive?: boolean | undefined },
  role: 'archive_view' | 'archive_download' = 'archive_view',
): boolean {
  return document.from_archive !== true || actor.roles === undefined || actor.roles.has(role);
}
