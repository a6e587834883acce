import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import { readFieldValue } from '../../documents/schema/read-document.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { type AnalyticService, mayRemove } from './analytic-service.ts';

type Comment = Analytic['comment'][number];

export const MAX_COMMENT_LENGTH = 5000;

/** What people say about an analytic or one of its detections. Errors of all: NotFound `analytic_missing`. */
export class AnalyticCommentService {
  readonly #analytics: AnalyticService;

  constructor(parts: { analytics: AnalyticService }) {
    this.#analytics = parts.analytics;
  }

  /** @throws InvalidInput `comment_empty`, `comment_too_long` */
  async add(actor: Actor, id: string, input: { value: unknown; detection?: unknown }): Promise<Analytic> {
    const comment = readFieldValue(
      analyticDocument,
      'comment',
      { user: actor.username, value: commentText(input.value), detection: input.detection },
      { item: true },
    ) as Comment;
    return this.#analytics.change(id, (analytic) => ({ ...analytic, comment: [...analytic.comment, comment] }));
  }

  /** Only their author edits comments. @throws NotFound `comment_missing`; Forbidden `comment_not_owned`; InvalidInput as `add` */
  async edit(actor: Actor, id: string, commentId: string, value: unknown): Promise<Analytic> {
    const text = commentText(value);
    return this.#analytics.change(id, (analytic) => {
      const existing = analytic.comment.find((comment) => comment.id === commentId);
      if (!existing) throw new NotFound('comment_missing', `Comment ${commentId} does not exist`);
      if (existing.user !== actor.username) {
        throw new Forbidden('comment_not_owned', "Cannot edit comment that wasn't made by you.");
      }
      const modified = readFieldValue(analyticDocument, 'comment.modified', 'NOW') as string;
      return replaceComment(analytic, { ...existing, value: text, modified });
    });
  }

  /** Removes those of the ids that exist. @throws Forbidden `comment_not_owned`, when one is by somebody else; administrators may */
  async remove(actor: Actor, id: string, commentIds: readonly string[]): Promise<void> {
    await this.#analytics.change(id, (analytic) => {
      const [gone, kept] = split(analytic.comment, (comment) => commentIds.includes(comment.id));
      if (gone.some((comment) => !mayRemove(actor, comment.user))) {
        throw new Forbidden('comment_not_owned', 'You cannot delete the comment of someone else.');
      }
      return { ...analytic, comment: kept };
    });
  }

  /** Sets the actor's reaction, or clears it. A comment that does not exist is not an error. */
  async react(actor: Actor, id: string, commentId: string, reaction: string | undefined): Promise<Analytic> {
    return this.#analytics.change(id, (analytic) => {
      const existing = analytic.comment.find((comment) => comment.id === commentId);
      if (!existing) return analytic;
      const { [actor.username]: _before, ...others } = existing.reactions;
      const reactions = reaction === undefined ? others : { ...others, [actor.username]: reaction };
      return replaceComment(analytic, { ...existing, reactions });
    });
  }
}

function commentText(value: unknown): string {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) {
    throw new InvalidInput('comment_empty', 'Value cannot be empty.', { at: 'value' });
  }
  if (typeof value !== 'string') {
    throw new InvalidInput('comment_not_text', 'Value must be a string.', { at: 'value' });
  }
  if (value.length > MAX_COMMENT_LENGTH) {
    throw new InvalidInput('comment_too_long', `Comment is too long. At most ${MAX_COMMENT_LENGTH} characters.`, {
      at: 'value',
    });
  }
  return value;
}

function replaceComment(analytic: Analytic, comment: Comment): Analytic {
  return { ...analytic, comment: analytic.comment.map((other) => (other.id === comment.id ? comment : other)) };
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
