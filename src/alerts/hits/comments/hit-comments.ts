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

/** Comments on an alert, and reactions to them. Errors of all: NotFound `hit_missing`. */
export class HitComments {
  readonly #store: HitStore;

  constructor({ store }: { store: HitStore }) {
    this.#store = store;
  }

  /** @throws NotFound `comment_missing` */
  async get(actor: Actor, id: string, commentId: string): Promise<{ comment: HitComment; version: string }> {
    const { document, version } = await this.#store.get(actor, id);
    return { comment: commentOf(document, commentId), version };
  }

  async add(actor: Actor, id: string, value: string): Promise<Versioned<Hit>> {
    const commentId = newId();
    return this.#store.change(actor, id, {}, (context) => {
      const { now, username: user } = context;
      const comment: HitComment = { id: commentId, timestamp: now, modified: now, value, user, reactions: {} };
      return changeOperations([logged('append_missing', comment, `Added a comment:\n\n${value}`)], context);
    });
  }

  /** Edits an own comment, which becomes the last. Forbidden `comment_not_owned`; errors as `get`. */
  async edit(actor: Actor, id: string, commentId: string, value: string): Promise<Versioned<Hit>> {
    return this.#store.change(actor, id, {}, (context) => {
      const present = commentOf(context.hit, commentId);
      if (present.user !== actor.username) {
        throw new Forbidden('comment_not_owned', "Cannot edit comment that wasn't made by you.");
      }
      const edited: HitComment = { ...present, value, modified: context.now };
      const explanation = `Edited a comment. Changes:\n\n\`\`\`\`diff\n${lineDiff(present.value, value).join('\n')}\n\`\`\`\``;
      const removed: HitChange = { kind: 'remove', key: 'howler.comment', value: present, silent: true };
      const added = logged('append', edited, explanation, { ...edited, modified: NOW });
      return changeOperations([removed, added], context);
    });
  }

  /** Removes all comments or none; throws `no_comments_named`, `comment_not_owned`, `comment_missing`. */
  async remove(actor: Actor, id: string, commentIds: readonly string[]): Promise<Versioned<Hit>> {
    const wanted = new Set(commentIds);
    return this.#store.change(actor, id, {}, (context) => {
      if (wanted.size === 0) throw new InvalidInput('no_comments_named', 'Supply at least one comment to delete.');
      const comments = context.hit.howler.comment.filter((comment) => wanted.has(comment.id));
      if (!actor.isAdmin && comments.some((comment) => comment.user !== actor.username)) {
        throw new Forbidden('comment_not_owned', 'You cannot delete the comment of someone else.');
      }
      const unknown = [...wanted].find((commentId) => !comments.some((comment) => comment.id === commentId));
      if (unknown !== undefined) throw new NotFound('comment_missing', `Comment with id ${unknown} not found`);
      const removed = comments.map((comment) => logged('remove', comment, 'Deleted a comment'));
      return changeOperations(removed, context);
    });
  }

  /** Sets the actor's reaction, or clears it when undefined. Missing comments are ignored. */
  async react(actor: Actor, id: string, commentId: string, reaction: string | undefined): Promise<Versioned<Hit>> {
    return this.#store.change(actor, id, {}, ({ hit }): readonly UpdateOperation[] => {
      const comments = hit.howler.comment;
      if (!comments.some((comment) => comment.id === commentId)) return [];
      const value = comments.map((comment) => {
        if (comment.id !== commentId) return comment;
        const { [actor.username]: _before, ...others } = comment.reactions ?? {};
        return { ...comment, reactions: reaction === undefined ? others : { ...others, [actor.username]: reaction } };
      });
      return [{ op: 'set', path: 'howler.comment', value }];
    });
  }
}

function commentOf(hit: Hit, commentId: string): HitComment {
  const found = hit.howler.comment.find((comment) => comment.id === commentId);
  if (!found) throw new NotFound('comment_missing', `Comment ${commentId} does not exist`);
  return found;
}

/** The log of the public system shows the comment itself, and `list` for the value before. */
function logged(kind: HitChange['kind'], value: HitComment, explanation: string, shown: HitComment = value): HitChange {
  const texts = { newValue: pythonRepr(shown), previousValue: 'list' };
  return { kind, key: 'howler.comment', value, explanation, shown: texts };
}
