import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import { readFieldValue } from '../../documents/schema/read-document.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { AnalyticService } from './analytic-service.ts';

type Comment = Analytic['comment'][number];
type Notebook = Analytic['notebooks'][number];

/** Comments on an analytic or its detections, and links to notebooks; all throw `analytic_missing`. */
export class AnalyticDiscussion {
  readonly #analytics: AnalyticService;

  constructor({ analytics }: { analytics: AnalyticService }) {
    this.#analytics = analytics;
  }

  async addComment(actor: Actor, id: string, { value, detection }: { value: string; detection?: unknown }) {
    const input = { user: actor.username, value, detection };
    const comment = readFieldValue(analyticDocument, 'comment', input, { item: true }) as Comment;
    return this.#analytics.change(id, (analytic) => ({ ...analytic, comment: [...analytic.comment, comment] }));
  }

  /** Edits a comment of the actor. @throws NotFound `comment_missing`; Forbidden `comment_not_owned` */
  async editComment(actor: Actor, id: string, commentId: string, value: string): Promise<Analytic> {
    return this.#analytics.change(id, (analytic) => {
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
    await this.#analytics.change(id, (analytic) => ({
      ...analytic,
      comment: without(analytic.comment, ids, actor, refusal),
    }));
  }

  /** Sets the actor's reaction, or clears it when undefined. Missing comments are ignored. */
  async react(actor: Actor, id: string, commentId: string, reaction: string | undefined): Promise<Analytic> {
    return this.#analytics.change(id, (analytic) => {
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
    return this.#analytics.change(id, (analytic) => ({ ...analytic, notebooks: [...analytic.notebooks, notebook] }));
  }

  /** Removes those of the notebooks that exist. @throws Forbidden `notebook_not_owned` as `without` */
  async removeNotebooks(actor: Actor, id: string, ids: readonly string[]): Promise<void> {
    const refusal = new Forbidden('notebook_not_owned', 'You cannot delete the notebook of someone else.');
    await this.#analytics.change(id, (analytic) => ({
      ...analytic,
      notebooks: without(analytic.notebooks, ids, actor, refusal),
    }));
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
