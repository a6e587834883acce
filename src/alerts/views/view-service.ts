import { changeDocument } from '../../datastore/port/change-document.ts';
import type { Collection, Visible } from '../../datastore/port/collection.ts';
import { allOf, MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SearchItem } from '../../datastore/port/search.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { type View, viewDocument } from '../../documents/kinds/view.ts';
import { mergeDocument, readDocument } from '../../documents/schema/read-document.ts';
import { Forbidden, InvalidInput, isConflict, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { mayChange } from '../ownership/ownership-service.ts';
import { rejectBrokenQuery } from '../saved-query.ts';

export interface ViewServiceDependencies {
  views: Collection<View>;
  users: Pick<UserStore, 'get' | 'addFavouriteView' | 'removeFavouriteView'>;
}

const ALL_MAY_READ = unrestricted('views carry no classification; whose they are is asked for by every method');
/** Web interfaces translate this title. */
const ASSIGNED_TO_ME = 'view.assigned_to_me';
const MAX_LISTED = 1000;
/** Owner of views that belong to nobody. */
const NOBODY = 'none';

/** Saved queries. Every method acts as `actor`. */
export class ViewService {
  readonly #views: Collection<View>;
  readonly #users: ViewServiceDependencies['users'];

  constructor(dependencies: ViewServiceDependencies) {
    this.#views = dependencies.views;
    this.#users = dependencies.users;
  }

  /** Views that the actor may see, by title. */
  async list({ searchAccess }: Actor): Promise<readonly SearchItem<View>[]> {
    const sort = [{ field: 'title', order: 'asc' }] as const;
    return (await this.#views.search({ query: MATCH_ALL, rows: MAX_LISTED, sort }, searchAccess)).items;
  }

  /**
   * Creates a view of the actor. A personal one becomes a favourite of theirs.
   * @throws InvalidInput `view_incomplete`, `invalid_query` with the position, `invalid_document` with the path
   */
  async create(actor: Actor, input: Readonly<Record<string, unknown>>, visible: Visible): Promise<View> {
    for (const key of ['title', 'query', 'type']) {
      if (!(key in input)) {
        throw new InvalidInput('view_incomplete', `You must specify a ${key} when creating a view.`, { at: key });
      }
    }
    rejectBrokenQuery(input.query, 'You must use a valid query when creating a view.');
    const { view_id: _ignored, ...rest } = input;
    const { document: view } = readDocument(viewDocument, { ...rest, owner: actor.username }, { unknown: 'drop' });
    await this.#views.save(view.view_id, view, { ifVersion: ABSENT, visible });
    if (view.type === 'personal') await this.#users.addFavouriteView(actor.username, view.view_id);
    return view;
  }

  /** Makes the view of what is assigned to a user, unless they have it. A new one becomes a favourite of theirs. */
  async ensureAssignedToMe(username: string): Promise<void> {
    const own = allOf(
      { kind: 'term', field: 'owner', value: username },
      { kind: 'term', field: 'type', value: 'readonly' },
      { kind: 'term', field: 'title', value: ASSIGNED_TO_ME },
    );
    if ((await this.#views.count({ query: own }, ALL_MAY_READ)) > 0) return;
    const { document: view } = readDocument(
      viewDocument,
      {
        view_id: `assigned-to-${username}`,
        title: ASSIGNED_TO_ME,
        query: `howler.assignment:${username}`,
        type: 'readonly',
        owner: username,
      },
      { unknown: 'refuse' },
    );
    try {
      await this.#views.save(view.view_id, view, { ifVersion: ABSENT, visible: 'now' });
    } catch (error) {
      // Somebody may sign in twice at once.
      if (isConflict(error)) return;
      throw error;
    }
    await this.#users.addFavouriteView(username, view.view_id);
  }

  /**
   * Changes a view, member by member; lists are replaced.
   * @throws NotFound `view_missing`; Forbidden `view_readonly`, `view_not_owned`; InvalidInput `view_id_fixed`,
   * `permissions_elsewhere`, `invalid_query` with the position, `invalid_document` with the path
   */
  async update(actor: Actor, id: string, change: Readonly<Record<string, unknown>>, visible: Visible): Promise<View> {
    if ('view_id' in change)
      throw new InvalidInput('view_id_fixed', 'You cannot change the view ID.', { at: 'view_id' });
    if ('owner' in change || 'admins' in change || 'members' in change) {
      throw new InvalidInput('permissions_elsewhere', 'You cannot change permissions using this endpoint.');
    }
    const changed = await changeDocument(
      this.#views,
      id,
      (view) => {
        if (view.type === 'readonly') throw new Forbidden('view_readonly', 'You cannot edit a built-in view.');
        if (!mayChange(actor, view)) {
          throw new Forbidden(
            'view_not_owned',
            'You cannot update a view that is not owned by you, or you are not an administrator of.',
          );
        }
        if ('query' in change) {
          rejectBrokenQuery(change.query, 'You must use a valid query when updating a view.');
        }
        return mergeDocument(viewDocument, view, change, { replaceLists: true });
      },
      { access: ALL_MAY_READ, visible },
    );
    if (!changed) throw viewMissing();
    return changed.document;
  }

  /** Owners delete their own, administrators any; `readonly` ones nobody. @throws NotFound `view_missing`; Forbidden as `update` */
  async delete(actor: Actor, id: string, visible: Visible): Promise<void> {
    const stored = await this.#views.getVersioned(id, ALL_MAY_READ);
    if (!stored) throw viewMissing();
    if (stored.document.owner !== actor.username && !actor.isAdmin) {
      throw new Forbidden('view_not_owned', 'You cannot delete a view unless you are an owner or a global admin.');
    }
    if (stored.document.type === 'readonly') {
      throw new Forbidden('view_readonly', 'You cannot delete built-in views.');
    }
    await this.#views.delete(id, { visible });
  }

  /** @throws NotFound `view_missing`; Forbidden `view_not_shared`, for a personal view of others that is not shared with the actor */
  async addFavourite(actor: Actor, id: string): Promise<void> {
    const view = await this.#views.get(id, ALL_MAY_READ);
    if (!view) throw viewMissing();
    const sharedWith = [view.owner, ...view.admins, ...view.members];
    if (view.type === 'personal' && view.owner !== NOBODY && !sharedWith.includes(actor.username)) {
      throw new Forbidden(
        'view_not_shared',
        'You can only favourite global views, or views you have permission to use.',
      );
    }
    await this.#users.addFavouriteView(actor.username, id);
  }

  /** @throws NotFound `favourite_missing` */
  async removeFavourite(actor: Actor, id: string): Promise<void> {
    const user = await this.#users.get(actor.username);
    if (!user?.favourite_views.includes(id)) throw new NotFound('favourite_missing', 'View is not favourited.');
    await this.#users.removeFavouriteView(actor.username, id);
  }
}

function viewMissing(): NotFound {
  return new NotFound('view_missing', 'This view does not exist');
}
