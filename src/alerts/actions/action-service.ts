import { changeDocument } from '../../datastore/port/change-document.ts';
import type { Collection, Versioned, Visible } from '../../datastore/port/collection.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SearchItem } from '../../datastore/port/search.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import type { Action } from '../../documents/kinds/action.ts';
import { isSameSet } from '../../documents/schema/plain-objects.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { mayChange } from '../ownership/ownership-service.ts';
import { readAction } from './action-input.ts';

export interface ActionServiceDependencies {
  actions: Collection<Action>;
}

type Json = Readonly<Record<string, unknown>>;

const ALL_MAY_READ = unrestricted('actions carry no classification; what they do is limited by who runs them');
const MAX_LISTED = 250;

/** Saved actions. Every method acts as `actor`; all users with a role for actions see all of them. */
export class ActionService {
  readonly #actions: Collection<Action>;

  constructor(dependencies: ActionServiceDependencies) {
    this.#actions = dependencies.actions;
  }

  /** By name, the first 250. */
  async list(): Promise<readonly SearchItem<Action>[]> {
    const { items } = await this.#actions.search({ query: MATCH_ALL, rows: MAX_LISTED }, ALL_MAY_READ);
    return items;
  }

  /** @throws NotFound `action_missing` */
  async get(id: string): Promise<Versioned<Action>> {
    const stored = await this.#actions.getVersioned(id, ALL_MAY_READ);
    if (!stored) throw missing('The specified action does not exist');
    return stored;
  }

  /**
   * Creates an action of the actor.
   * @throws InvalidInput as `readAction`; Forbidden `triggers_denied` for triggers without the role automation_advanced
   */
  async create(actor: Actor, input: Json, visible: Visible): Promise<Action> {
    const { action_id: _made, ...rest } = input;
    const action = readAction({ ...rest, owner: actor.username });
    assertTriggers(actor, action.triggers, []);
    await this.#actions.save(action.action_id, action, { ifVersion: ABSENT, visible });
    return action;
  }

  /**
   * Changes an action, member by member. Without the role automation_advanced the triggers must be sent as they are stored, in any
   * order; leaving them out counts as removing them.
   * @throws InvalidInput `permissions_elsewhere`, and as `readAction`; NotFound `action_missing`; Forbidden `triggers_denied`,
   *   `action_not_owned`
   */
  async update(actor: Actor, id: string, change: Json, visible: Visible): Promise<Action> {
    if ('owner' in change || 'admins' in change || 'members' in change) {
      throw new InvalidInput('permissions_elsewhere', 'You cannot change permissions using this endpoint.');
    }
    const changed = await changeDocument(
      this.#actions,
      id,
      (action) => {
        assertTriggers(actor, change.triggers, action.triggers ?? []);
        if (!mayChange(actor, action)) {
          throw new Forbidden(
            'action_not_owned',
            'You cannot update an action that is not owned by you, or you are not an administrator of.',
          );
        }
        return readAction({ ...action, ...change, action_id: action.action_id });
      },
      { access: ALL_MAY_READ, visible },
    );
    if (!changed) throw missing('The specified automation does not exist');
    return changed.document;
  }

  /** Owners delete their own, administrators any. @throws NotFound `action_missing`; Forbidden `action_not_owned` */
  async delete(actor: Actor, id: string, visible: Visible): Promise<void> {
    const action = await this.#actions.get(id, ALL_MAY_READ);
    if (action && action.owner !== actor.username && !actor.isAdmin) {
      const message = 'You do not have the permissions necessary to delete this action.';
      throw new Forbidden('action_not_owned', message);
    }
    if (!(await this.#actions.delete(id, { visible }))) throw missing('Action does not exist');
  }
}

/**
 * Rejects other triggers than the present ones without the role automation_advanced: triggers let an action run for every user.
 * @throws Forbidden `triggers_denied`
 */
function assertTriggers(actor: Actor, wanted: unknown, present: readonly string[]): void {
  if (actor.roles.has('automation_advanced')) return;
  if (isSameSet(wanted ?? [], present)) return;
  throw new Forbidden('triggers_denied', "Updating triggers requires the role 'automation_advanced'.");
}

function missing(message: string): NotFound {
  return new NotFound('action_missing', message);
}
