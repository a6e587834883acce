import type { Versioned } from '../../../datastore/port/collection.ts';
import type { UpdateOperation } from '../../../datastore/port/update-operations.ts';
import type { Hit } from '../../../documents/kinds/hit.ts';
import { newId } from '../../../documents/schema/values/field-values.ts';
import { pythonRepr } from '../../../documents/schema/values/python-text.ts';
import { Forbidden, InvalidInput, NotFound } from '../../../errors/errors.ts';
import type { Actor } from '../../../identity/actor.ts';
import { changeOperations, type HitChange, NOW } from '../changes/hit-log.ts';
import { lineDiff } from '../changes/line-diff.ts';
import type { HitStore } from '../hit-store.ts';

export type HitComment = Hit['howler']['comment'][number];

/** What people say about an alert, and how others react to it. Errors of all: NotFound `hit_missing`. */
export class HitComments {
  readonly #store: HitStore;

  constructor(parts: { store: HitStore }) {
    this.#store = parts.store;
  }

  /** @throws NotFound `comment_missing` */
  async get(actor: Actor, id: string, commentId: string): Promise<{ comment: HitComment; version: string }> {
    const { document, version } = await this.#store.get(actor, id);
    return { comment: commentOf(document, commentId), version };
  }

  async add(actor: Actor, id: string, text: string): Promise<Versioned<Hit>> {
    const commentId = newId();
    return this.#store.change(actor, id, (context) => {
      const { now } = context;
      const comment: HitComment = {
        id: commentId,
        timestamp: now,
        modified: now,
        value: text,
        user: actor.username,
        reactions: {},
      };
      const explanation = `Added a comment:\n\n${text}`;
      return changeOperations([commentChange('append_missing', comment, { explanation })], context);
    });
  }

  /**
   * Only their author edits comments. The edited comment becomes the last of the list.
   * @throws NotFound `comment_missing`; Forbidden `comment_not_owned`
   */
  async edit(actor: Actor, id: string, commentId: string, text: string): Promise<Versioned<Hit>> {
    return this.#store.change(actor, id, (context) => {
      const present = commentOf(context.hit, commentId);
      if (present.user !== actor.username) {
        throw new Forbidden('comment_not_owned', "Cannot edit comment that wasn't made by you.");
      }
      const edited: HitComment = { ...present, value: text, modified: context.now };
      const explanation = `Edited a comment. Changes:\n\n\`\`\`\`diff\n${lineDiff(present.value, text).join('\n')}\n\`\`\`\``;
      const shown = { ...edited, modified: NOW };
      return changeOperations(
        [commentChange('remove', present, { silent: true }), commentChange('append', edited, { explanation, shown })],
        context,
      );
    });
  }

  /**
   * Removes all of the comments or none.
   * @throws InvalidInput `no_comments_named`; Forbidden `comment_not_owned`, when one is by somebody else; administrators may;
   *   NotFound `comment_missing`
   */
  async remove(actor: Actor, id: string, commentIds: readonly string[]): Promise<Versioned<Hit>> {
    const wanted = new Set(commentIds);
    return this.#store.change(actor, id, (context) => {
      if (wanted.size === 0) throw new InvalidInput('no_comments_named', 'Supply at least one comment to delete.');
      const comments = context.hit.howler.comment.filter((comment) => wanted.has(comment.id));
      if (!actor.isAdmin && comments.some((comment) => comment.user !== actor.username)) {
        throw new Forbidden('comment_not_owned', 'You cannot delete the comment of someone else.');
      }
      const unknown = [...wanted].find((commentId) => !comments.some((comment) => comment.id === commentId));
      if (unknown !== undefined) throw new NotFound('comment_missing', `Comment with id ${unknown} not found`);
      const explanation = 'Deleted a comment';
      return changeOperations(
        comments.map((comment) => commentChange('remove', comment, { explanation })),
        context,
      );
    });
  }

  /** Sets the actor's reaction, or clears it when `reaction` is undefined. A comment that does not exist is not an error. */
  async react(actor: Actor, id: string, commentId: string, reaction: string | undefined): Promise<Versioned<Hit>> {
    return this.#store.change(actor, id, ({ hit }): readonly UpdateOperation[] => {
      const comments = hit.howler.comment;
      if (!comments.some((comment) => comment.id === commentId)) return [];
      const value = comments.map((comment) =>
        comment.id === commentId ? { ...comment, reactions: withReaction(comment, actor.username, reaction) } : comment,
      );
      return [{ op: 'set', path: 'howler.comment', value }];
    });
  }
}

function commentOf(hit: Hit, commentId: string): HitComment {
  const found = hit.howler.comment.find((comment) => comment.id === commentId);
  if (!found) throw new NotFound('comment_missing', `Comment ${commentId} does not exist`);
  return found;
}

function commentChange(
  kind: HitChange['kind'],
  comment: HitComment,
  log: { readonly explanation: string; readonly shown?: object } | { readonly silent: true },
): HitChange {
  if ('silent' in log) return { kind, key: 'howler.comment', value: comment, silent: true };
  // The public system's log shows the object itself, and `list` for what was there before.
  const shown = { newValue: pythonRepr(log.shown ?? comment), previousValue: 'list' };
  return { kind, key: 'howler.comment', value: comment, explanation: log.explanation, shown };
}

function withReaction(comment: HitComment, username: string, reaction: string | undefined): HitComment['reactions'] {
  const others = Object.entries(comment.reactions ?? {}).filter(([name]) => name !== username);
  return Object.fromEntries(reaction === undefined ? others : [...others, [username, reaction]]);
}
