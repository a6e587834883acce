import { changeDocument } from '../../datastore/port/change-document.ts';
import type { Collection, Versioned, Visible } from '../../datastore/port/collection.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SearchItem } from '../../datastore/port/search.ts';
import type { Version } from '../../datastore/port/versions.ts';
import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { mergeDocument, readFieldValue } from '../../documents/schema/read-document.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { type UserStore, userMissing } from '../../identity/user-store.ts';

type Comment = Analytic['comment'][number];
type Notebook = Analytic['notebooks'][number];

const ALL_MAY_READ = unrestricted('analytics carry no classification');
const MAX_LISTED = 1000;

/** Analytics, comments on them or their detections, and notebooks; all throw `analytic_missing`. */
export class AnalyticService {
  readonly #analytics: Collection<Analytic>;
  readonly #users: Pick<UserStore, 'get'>;

  constructor({ analytics, users }: { analytics: Collection<Analytic>; users: Pick<UserStore, 'get'> }) {
    this.#analytics = analytics;
    this.#users = users;
  }

  /** Returns the first 1,000 analytics by name. */
  async list(): Promise<readonly SearchItem<Analytic>[]> {
    return (await this.#analytics.search({ query: MATCH_ALL, rows: MAX_LISTED }, ALL_MAY_READ)).items;
  }

  async get(id: string, message = `Analytic ${id} does not exist`): Promise<Versioned<Analytic>> {
    const analytic = await this.#analytics.getVersioned(id, ALL_MAY_READ);
    if (!analytic) throw new NotFound('analytic_missing', message);
    return analytic;
  }

  /**
   * Changes description and triage settings, no others.
   * @param ifVersion changes that version alone. Default: the present one
   * @throws InvalidInput `invalid_document`; Conflict `version_conflict`
   */
  async update(
    id: string,
    { description, triage_settings: settings }: { readonly description?: unknown; readonly triage_settings?: unknown },
    visible: Visible,
    ifVersion?: Version,
  ): Promise<Analytic> {
    const apply = (analytic: Analytic) => {
      if (settings !== undefined && settings !== null && !isObject(settings)) {
        const at = 'triage_settings';
        throw new InvalidInput('invalid_document', '[analytic.triage_settings]: must be an object', { at });
      }
      const partial = { ...(description === undefined ? {} : { description }), triage_settings: settings ?? {} };
      return mergeDocument(analyticDocument, analytic, partial, { replaceLists: true });
    };
    return this.#change(id, apply, { visible, ifVersion, missing: 'This analytic does not exist' });
  }

  /** @throws NotFound `user_missing` */
  async setOwner(id: string, username: string, visible: Visible): Promise<Analytic> {
    await this.get(id);
    if (!(await this.#users.get(username))) throw userMissing(username);
    return this.#change(id, (analytic) => ({ ...analytic, owner: username }), { visible });
  }

  async addComment(actor: Actor, id: string, { value, detection }: { value: string; detection?: unknown }) {
    const input = { user: actor.username, value, detection };
    const comment = readFieldValue(analyticDocument, 'comment', input, { item: true }) as Comment;
    return this.#change(id, (analytic) => ({ ...analytic, comment: [...analytic.comment, comment] }));
  }

  /** Edits a comment of the actor. @throws NotFound `comment_missing`; Forbidden `comment_not_owned` */
  async editComment(actor: Actor, id: string, commentId: string, value: string): Promise<Analytic> {
    return this.#change(id, (analytic) => {
      const existing = analytic.comment.find((comment) => comment.id === commentId);
      if (!existing) throw new NotFound('comment_missing', `Comment ${commentId} does not exist`);
      if (existing.user !== actor.username) {
        throw new Forbidden('comment_not_owned', "Cannot edit comment that wasn't made by you.");
      }
      const modified = readFieldValue(analyticDocument, 'comment.modified', 'NOW') as string;
      return replaceComment(analytic, { ...existing, value, modified });
    });
  }

  /** Removes those of the comments that exist. @throws Forbidden `comment_not_owned` as `without` */
  async removeComments(actor: Actor, id: string, ids: readonly string[]): Promise<void> {
    const refusal = new Forbidden('comment_not_owned', 'You cannot delete the comment of someone else.');
    await this.#change(id, (analytic) => {
      return { ...analytic, comment: without(analytic.comment, ids, actor, refusal) };
    });
  }

  /** Sets the actor's reaction, or clears it when undefined. Missing comments are ignored. */
  async react(actor: Actor, id: string, commentId: string, reaction: string | undefined): Promise<Analytic> {
    return this.#change(id, (analytic) => {
      const existing = analytic.comment.find((comment) => comment.id === commentId);
      if (!existing) return analytic;
      const { [actor.username]: _before, ...others } = existing.reactions;
      const reactions = reaction === undefined ? others : { ...others, [actor.username]: reaction };
      return replaceComment(analytic, { ...existing, reactions });
    });
  }

  /** @throws InvalidInput `notebook_incomplete`, `notebook_unsupported` */
  async addNotebook(
    actor: Actor,
    id: string,
    { value, name, detection }: { value: unknown; name: unknown; detection?: unknown },
  ): Promise<Analytic> {
    if (typeof value !== 'string' || value === '' || typeof name !== 'string' || name === '') {
      throw new InvalidInput('notebook_incomplete', 'Value/Name cannot be empty.');
    }
    if (!value.includes('nbgallery.')) {
      throw new InvalidInput('notebook_unsupported', 'Only nbgallery is supported for now.', { at: 'value' });
    }
    const input = { user: actor.username, name, value, detection: detection || undefined };
    const notebook = readFieldValue(analyticDocument, 'notebooks', input, { item: true }) as Notebook;
    return this.#change(id, (analytic) => ({ ...analytic, notebooks: [...analytic.notebooks, notebook] }));
  }

  /** Removes those of the notebooks that exist. @throws Forbidden `notebook_not_owned` as `without` */
  async removeNotebooks(actor: Actor, id: string, ids: readonly string[]): Promise<void> {
    const refusal = new Forbidden('notebook_not_owned', 'You cannot delete the notebook of someone else.');
    await this.#change(id, (analytic) => {
      return { ...analytic, notebooks: without(analytic.notebooks, ids, actor, refusal) };
    });
  }

  /** Changes an analytic so that no change by others is lost. */
  async #change(
    id: string,
    change: (analytic: Analytic) => Analytic,
    options: { readonly visible?: Visible; readonly ifVersion?: Version | undefined; readonly missing?: string } = {},
  ): Promise<Analytic> {
    const { visible = 'soon', ifVersion, missing = `Analytic ${id} does not exist` } = options;
    const changed = await changeDocument(this.#analytics, id, change, { access: ALL_MAY_READ, visible, ifVersion });
    if (!changed) throw new NotFound('analytic_missing', missing);
    return changed.document;
  }
}

/** Returns the items that stay. @throws `refusal`, unless the actor may remove the others */
function without<Item extends Comment | Notebook>(
  items: readonly Item[],
  ids: readonly string[],
  actor: Actor,
  refusal: Forbidden,
): Item[] {
  return items.filter(({ id, user }) => {
    const goes = ids.includes(id);
    if (goes && !actor.isAdmin && actor.username !== user) throw refusal;
    return !goes;
  });
}

function replaceComment(analytic: Analytic, comment: Comment): Analytic {
  return { ...analytic, comment: analytic.comment.map((other) => (other.id === comment.id ? comment : other)) };
}
