import type { Collection, Visible } from '../../datastore/port/collection.ts';
import { allOf, MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { type View, viewDocument } from '../../documents/kinds/view.ts';
import { mergeDocument, readDocument } from '../../documents/schema/read-document.ts';
import { Forbidden, InvalidInput, isConflict, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { rejectBrokenQuery } from '../saved-query.ts';
import { mayChange } from './ownership-service.ts';
import {
  ALL_MAY_READ,
  checkNewQuery,
  type Json,
  mayDelete,
  notChangeable,
  rejectPermissions,
  type SavedObjectKind,
  SavedObjects,
} from './saved-objects.ts';

interface ViewServiceDependencies {
  views: Collection<View>;
  users: Pick<UserStore, 'get' | 'addFavourite' | 'removeFavourite'>;
}

/** Web interfaces translate this title. */
const ASSIGNED_TO_ME = 'view.assigned_to_me';
const MAX_LISTED = 1000;
/** Owner of views that belong to no user. */
const NO_USER = 'none';

/** Views belong to their creator. Built-in ones (type `readonly`) are fixed: Forbidden `view_readonly`. */
const viewKind: SavedObjectKind<View> = {
  definition: viewDocument,
  list: ({ searchAccess }) => ({
    query: MATCH_ALL,
    rows: MAX_LISTED,
    sort: [{ field: 'title', order: 'asc' }],
    access: searchAccess,
  }),
  read(actor, input) {
    checkNewQuery(input, 'view', (message, options) => new InvalidInput('view_incomplete', message, options));
    return readDocument(viewDocument, { ...input, owner: actor.username }, { unknown: 'drop' }).document;
  },
  checkChange(change) {
    if ('view_id' in change) {
      throw new InvalidInput('view_id_fixed', 'You cannot change the view ID.', { at: 'view_id' });
    }
    rejectPermissions(change);
  },
  change(actor, view, change) {
    if (view.type === 'readonly') throw new Forbidden('view_readonly', 'You cannot edit a built-in view.');
    if (!mayChange(actor, view)) throw new Forbidden('view_not_owned', notChangeable('a view'));
    rejectBrokenQuery(change.query, 'You must use a valid query when updating a view.');
    return mergeDocument(viewDocument, view, change, { replaceLists: true });
  },
  assertDeletable(actor, view) {
    if (!mayDelete(actor, view)) {
      throw new Forbidden('view_not_owned', 'You cannot delete a view unless you are an owner or a global admin.');
    }
    if (view.type === 'readonly') throw new Forbidden('view_readonly', 'You cannot delete built-in views.');
  },
  missing: () => new NotFound('view_missing', 'This view does not exist'),
};

/** Saved queries, and which of them users mark as favourites. */
export class ViewService extends SavedObjects<View> {
  readonly #users: ViewServiceDependencies['users'];

  constructor({ views, users }: ViewServiceDependencies) {
    super(views, viewKind);
    this.#users = users;
  }

  /** Creates a view. A personal one becomes a favourite of the actor. */
  override async create(actor: Actor, input: Json, visible: Visible): Promise<View> {
    const view = await super.create(actor, input, visible);
    if (view.type === 'personal') await this.#users.addFavourite(actor.username, 'favourite_views', view.view_id);
    return view;
  }

  /** Creates the view of a user's assigned alerts as a favourite, unless the user has it. */
  async ensureAssignedToMe(username: string): Promise<void> {
    const own = allOf(
      { kind: 'term', field: 'owner', value: username },
      { kind: 'term', field: 'type', value: 'readonly' },
      { kind: 'term', field: 'title', value: ASSIGNED_TO_ME },
    );
    if ((await this.collection.count({ query: own }, ALL_MAY_READ)) > 0) return;
    const input = {
      view_id: `assigned-to-${username}`,
      title: ASSIGNED_TO_ME,
      query: `howler.assignment:${username}`,
      type: 'readonly',
      owner: username,
    };
    const { document: view } = readDocument(viewDocument, input, { unknown: 'refuse' });
    try {
      await this.collection.save(view.view_id, view, { ifVersion: ABSENT, visible: 'now' });
    } catch (error) {
      // The user may sign in twice at once.
      if (isConflict(error)) return;
      throw error;
    }
    await this.#users.addFavourite(username, 'favourite_views', view.view_id);
  }

  /** Makes a view a favourite; throws `view_missing`, `view_not_shared` for an unshared personal view. */
  async addFavourite(actor: Actor, id: string): Promise<void> {
    const { document: view } = await this.getVersioned(id, ALL_MAY_READ);
    const sharedWith = [view.owner, ...view.admins, ...view.members];
    if (view.type === 'personal' && view.owner !== NO_USER && !sharedWith.includes(actor.username)) {
      const message = 'You can only favourite global views, or views you have permission to use.';
      throw new Forbidden('view_not_shared', message);
    }
    await this.#users.addFavourite(actor.username, 'favourite_views', id);
  }

  /** @throws NotFound `favourite_missing` */
  async removeFavourite(actor: Actor, id: string): Promise<void> {
    const user = await this.#users.get(actor.username);
    if (!user?.favourite_views.includes(id)) throw new NotFound('favourite_missing', 'View is not favourited.');
    await this.#users.removeFavourite(actor.username, 'favourite_views', id);
  }
}
