import { randomUUID } from 'node:crypto';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type FileRecord, fileDocument } from '../../documents/kinds/analysis/file.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { Forbidden, InvalidInput, NotFound, TooLarge } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { FILE_CHANNEL } from '../live/file-comments.ts';
import { LABEL_CATEGORIES, type LabelCategory, type Labels } from './automatic-labels.ts';

export interface ArchivedFilesDependencies {
  /** Files in the archive. */
  readonly files: Collection<FileRecord>;
  readonly users: Pick<UserStore, 'recent'>;
  readonly avatars: { recentPicture(username: string): Promise<string | undefined> };
  readonly events: Pick<Coordination['events'], 'publish'>;
  readonly classification: ClassificationEngine;
  readonly now?: () => Date;
}

type Comment = FileRecord['comments'][number];
type Reaction = Comment['reactions'][number];

export interface LabelSearch {
  /** Part of a label. */
  readonly include: string | undefined;
  readonly query: string | undefined;
  readonly filters: readonly string[];
  readonly mincount: number;
  readonly size: number;
  readonly count: number;
}

const EVERYTHING = unrestricted('routes tell missing files from those that the caller may not see');
const FAILURE = { response: { success: false } };
/** Limits of what people add to one file, whose document stays below its largest size. */
const MAX_COMMENTS = 500;
const MAX_TEXT = 8000;
const MAX_REACTIONS = 1000;
const MAX_LABELS = 1000;
const MAX_LABEL = 256;

/** Comments, reactions and labels of files in the archive. */
export class ArchivedFiles {
  readonly #dependencies: ArchivedFilesDependencies;

  constructor(dependencies: ArchivedFilesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the comments, and what is known of their authors. @throws as `#visible` */
  async comments(actor: Actor, sha256: string) {
    const { users, avatars } = this.#dependencies;
    const file = await this.#dependencies.files.get(sha256, EVERYTHING);
    const { comments } = this.#visible(actor, file, 'view the comments of this file...');
    const names = new Set(comments.flatMap(({ uname, reactions }) => [uname, ...reactions.map((one) => one.uname)]));
    const authors: Record<string, object> = {};
    for (const uname of names) {
      const user = await users.recent(uname);
      if (user === undefined) continue;
      const avatar = await avatars.recentPicture(uname);
      authors[uname] = {
        ...{ uname, name: user.name, email: user.email ?? null },
        ...(avatar === undefined ? {} : { avatar }),
      };
    }
    return { authors, comments };
  }

  /** Adds a comment before the others. @throws as `#change`; TooLarge `too_many_comments` */
  async addComment(actor: Actor, sha256: string, text: string): Promise<Comment> {
    const { now = () => new Date() } = this.#dependencies;
    assertText(text);
    const comment = { cid: newCommentId(), date: formatDate(now()), text, uname: actor.username, reactions: [] };
    await this.#change(actor, sha256, 'add a comment to this file...', (file) => {
      if (file.comments.length >= MAX_COMMENTS) {
        throw new TooLarge('too_many_comments', `A file has at most ${MAX_COMMENTS} comments.`, FAILURE);
      }
      return { ...file, comments: [comment, ...file.comments] };
    });
    return comment;
  }

  /** Changes the text of an own comment. @throws as `#changeOwn` */
  async editComment(actor: Actor, sha256: string, cid: string, text: string): Promise<void> {
    assertText(text);
    await this.#changeOwn(actor, sha256, cid, 'updated', (one) => [{ ...one, text }]);
  }

  /** Removes an own comment. @throws as `#changeOwn` */
  async deleteComment(actor: Actor, sha256: string, cid: string): Promise<void> {
    await this.#changeOwn(actor, sha256, cid, 'deleted', () => []);
  }

  /** Adds a reaction of the actor to a comment, or removes it when it is there. */
  async toggleReaction(
    actor: Actor,
    sha256: string,
    cid: string,
    icon: Reaction['icon'],
  ): Promise<readonly Reaction[]> {
    let reactions: readonly Reaction[] = [];
    const own = ({ uname, icon: other }: Reaction) => uname === actor.username && other === icon;
    await this.#change(actor, sha256, 'make a reaction to this file...', (file) => {
      const comment = commentOf(file, cid);
      const others = comment.reactions.filter((one) => !own(one));
      const isNew = others.length === comment.reactions.length;
      if (isNew && others.length >= MAX_REACTIONS) {
        throw new TooLarge('too_many_reactions', `A comment has at most ${MAX_REACTIONS} reactions.`, FAILURE);
      }
      reactions = isNew ? [...others, { icon, uname: actor.username }] : others;
      return replaced(file, cid, [{ ...comment, reactions: [...reactions] }]);
    });
    return reactions;
  }

  /** Returns the most frequent labels, with the number of files that have them. */
  async knownLabels(actor: Actor, search: LabelSearch) {
    const { files } = this.#dependencies;
    const compiled = (text: string) => compileQuery(text, fileDocument, { defaultField: '*' });
    const found: { category: LabelCategory; label: string; count: number }[] = [];
    for (const category of LABEL_CATEGORIES) {
      const { buckets } = await files.facet(
        {
          query: search.query === undefined ? MATCH_ALL : compileQuery(search.query, fileDocument),
          filters: search.filters.map(compiled),
          field: `label_categories.${category}`,
          rows: search.size,
          minCount: Math.max(1, search.mincount),
          ...(search.include === undefined ? {} : { include: `.*${escaped(search.include)}.*` }),
        },
        actor.searchAccess,
      );
      found.push(...buckets.map(({ label, count }) => ({ category, label, count })));
    }
    return found.sort((left, right) => right.count - left.count).slice(0, search.count);
  }

  /** Changes the labels of a file and returns them. @throws as `#change`; TooLarge `too_many_file_labels` */
  async changeLabels(actor: Actor, sha256: string, given: Partial<Labels>, how: 'add' | 'remove' | 'replace') {
    for (const label of Object.values(given).flat()) {
      if (label.length > 0 && label.length <= MAX_LABEL) continue;
      throw new InvalidInput('invalid_labels', `A label has 1 to ${MAX_LABEL} characters.`, FAILURE);
    }
    const combine = (present: readonly string[], change: readonly string[] = []): string[] => {
      if (how === 'add') return [...new Set([...present, ...change])];
      return how === 'replace' ? [...new Set(change)] : present.filter((one) => !change.includes(one));
    };
    const changed = await this.#change(actor, sha256, "change this file's labels...", (file) => {
      const { info, technique, attribution } = file.label_categories;
      const labels = combine(file.labels, Object.values(given).flat());
      if (labels.length > MAX_LABELS) {
        throw new TooLarge('too_many_file_labels', `A file has at most ${MAX_LABELS} labels.`, FAILURE);
      }
      return {
        ...file,
        labels,
        label_categories: {
          info: combine(info, given.info),
          technique: combine(technique, given.technique),
          attribution: combine(attribution, given.attribution),
        },
      };
    });
    return { labels: changed.labels, label_categories: changed.label_categories };
  }

  /** @throws as `#change`; NotFound `comment_missing`; Forbidden `comment_not_owned` */
  async #changeOwn(
    actor: Actor,
    sha256: string,
    cid: string,
    verb: 'updated' | 'deleted',
    change: (comment: Comment) => Comment[],
  ): Promise<void> {
    await this.#change(actor, sha256, 'modify a comment on this file...', (file) => {
      const comment = commentOf(file, cid);
      if (comment.uname !== actor.username) {
        throw new Forbidden('comment_not_owned', `Another user's comment cannot be ${verb}.`, FAILURE);
      }
      return replaced(file, cid, change(comment));
    });
  }

  /** @throws NotFound `analysis_file_missing`; Forbidden `analysis_file_denied` */
  async #change(actor: Actor, sha256: string, purpose: string, change: (file: FileRecord) => FileRecord) {
    const { files, events } = this.#dependencies;
    const changed = await retryOnConflict(async () => {
      const found = await files.getVersioned(sha256, EVERYTHING);
      const file = change(this.#visible(actor, found?.document, purpose));
      await files.save(sha256, file, { ifVersion: found?.version, visible: 'now' });
      return file;
    });
    await events.publish(FILE_CHANNEL, { sha256 });
    return changed;
  }

  #visible(actor: Actor, file: FileRecord | undefined, purpose: string): FileRecord {
    const { classification } = this.#dependencies;
    if (file === undefined) {
      throw new NotFound('analysis_file_missing', 'The file was not found in the system.', FAILURE);
    }
    if (classification.isAccessible(actor.classification, file.classification, true)) return file;
    throw new Forbidden('analysis_file_denied', `You are not allowed to ${purpose}`, FAILURE);
  }
}

function commentOf(file: FileRecord, cid: string): Comment {
  const comment = file.comments.find((one) => one.cid === cid);
  if (comment !== undefined) return comment;
  const message = `No comment with an id of "${cid.slice(0, 100)}" was found in this file`;
  throw new NotFound('comment_missing', message, FAILURE);
}

function replaced(file: FileRecord, cid: string, by: readonly Comment[]): FileRecord {
  return { ...file, comments: file.comments.flatMap((one) => (one.cid === cid ? by : [one])) };
}

/** @throws InvalidInput `invalid_comment` */
function assertText(text: string): void {
  if (text.length <= MAX_TEXT) return;
  throw new InvalidInput('invalid_comment', `A comment has at most ${MAX_TEXT} characters.`, FAILURE);
}

function newCommentId(): string {
  return randomUUID().replaceAll('-', '');
}

/** Returns a string as a regular expression of the engine that finds it alone. */
function escaped(text: string): string {
  return text.replaceAll(/[.?+*|{}[\]()"\\#@&<>~^$-]/g, '\\$&');
}
