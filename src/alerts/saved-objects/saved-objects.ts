import { changeDocument } from '../../datastore/port/change-document.ts';
import type { Collection, Versioned, Visible } from '../../datastore/port/collection.ts';
import { type ReadAccess, unrestricted } from '../../datastore/port/read-access.ts';
import type { SearchItem, SearchRequest } from '../../datastore/port/search.ts';
import { ABSENT, type Version } from '../../datastore/port/versions.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { InvalidInput, type NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { rejectBrokenQuery } from '../saved-query.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The rules that a kind of saved object has of its own. */
export interface SavedObjectKind<T> {
  readonly definition: DocumentDefinition<T>;
  /** Selects the objects of a list, of which at most `rows` are returned. */
  list(actor: Actor): SearchRequest & { readonly access: ReadAccess };
  /** Reads a new object; the input has no identifier. @throws InvalidInput, Forbidden */
  read(actor: Actor, input: Json): T;
  /** Rejects a new object that another one excludes. @throws Conflict */
  rejectTaken?(object: T, objects: Collection<T>): Promise<void>;
  /** Rejects a change of any object. @throws InvalidInput */
  checkChange?(change: Json): void;
  /** Returns the changed object. @throws InvalidInput, Forbidden */
  change(actor: Actor, object: T, change: Json): T;
  /** @throws Forbidden, if the actor must not delete the object */
  assertDeletable(actor: Actor, object: T): void;
  /** Returns the error for a missing object. */
  missing(id: string, operation: 'get' | 'update' | 'delete'): NotFound;
}

export const ALL_MAY_READ = unrestricted('saved objects carry no classification; every kind checks whose they are');

/** Objects that users save. Every method acts as `actor`. */
export class SavedObjects<T extends object> {
  readonly collection: Collection<T>;
  readonly kind: SavedObjectKind<T>;
  readonly #idField: string;

  constructor(collection: Collection<T>, kind: SavedObjectKind<T>) {
    const { idField, name } = kind.definition;
    if (idField === undefined) throw new Error(`The kind ${name} has no field for its identifier.`);
    this.collection = collection;
    this.kind = kind;
    this.#idField = idField;
  }

  async list(actor: Actor): Promise<readonly SearchItem<T>[]> {
    const { access, ...request } = this.kind.list(actor);
    return (await this.collection.search(request, access)).items;
  }

  /** Returns an object with its version. @throws NotFound, also for one that the actor may not see */
  get({ readAccess }: Pick<Actor, 'readAccess'>, id: string): Promise<Versioned<T>> {
    return this.getVersioned(id, readAccess);
  }

  /** @throws NotFound */
  async getVersioned(id: string, access: ReadAccess, operation: 'get' | 'delete' = 'get'): Promise<Versioned<T>> {
    const stored = await this.collection.getVersioned(id, access);
    if (stored) return stored;
    throw this.kind.missing(id, operation);
  }

  /** Creates an object of the actor. @throws Conflict; the errors of the kind */
  async create(actor: Actor, input: Json, visible: Visible): Promise<T> {
    const { kind } = this;
    const { [this.#idField]: _ignored, ...rest } = input;
    const object = kind.read(actor, rest);
    await kind.rejectTaken?.(object, this.collection);
    const id = (object as Json)[this.#idField] as string;
    await this.collection.save(id, object, { ifVersion: ABSENT, visible });
    return object;
  }

  /**
   * Changes an object.
   * @param ifVersion changes that version alone. Default: the present one
   * @throws NotFound; Conflict `version_conflict`; the errors of the kind
   */
  async update(actor: Actor, id: string, change: Json, visible: Visible, ifVersion?: Version): Promise<T> {
    const { kind } = this;
    kind.checkChange?.(change);
    const changed = await changeDocument(this.collection, id, (object) => kind.change(actor, object, change), {
      access: ALL_MAY_READ,
      visible,
      ifVersion,
    });
    if (!changed) throw kind.missing(id, 'update');
    return changed.document;
  }

  /** Deletes an object. @throws NotFound; Forbidden `<kind>_not_owned` */
  async delete(actor: Actor, id: string, visible: Visible): Promise<void> {
    const { document } = await this.getVersioned(id, ALL_MAY_READ, 'delete');
    this.kind.assertDeletable(actor, document);
    await this.collection.delete(id, { visible });
  }
}

/** Checks a new object, else throws `incomplete`'s error, `invalid_query` or `query_too_complex`. */
export function checkNewQuery(
  input: Json,
  kind: string,
  incomplete: (message: string, options: { readonly at: string }) => InvalidInput,
): void {
  for (const key of ['title', 'query', 'type']) {
    if (!(key in input)) throw incomplete(`You must specify a ${key} when creating a ${kind}.`, { at: key });
  }
  rejectBrokenQuery(input.query, `You must use a valid query when creating a ${kind}.`);
}

/** @throws InvalidInput `permissions_elsewhere`, for a change of who may do what */
export function rejectPermissions(change: Json): void {
  if ('owner' in change || 'admins' in change || 'members' in change) {
    throw new InvalidInput('permissions_elsewhere', 'You cannot change permissions using this endpoint.');
  }
}

/** Returns whether the actor owns the object or is an administrator. */
export function mayDelete(actor: Actor, { owner }: { readonly owner?: string | undefined }): boolean {
  return owner === actor.username || actor.isAdmin;
}

/** Returns the message for an actor who must not change an object. */
export function notChangeable(object: string): string {
  return `You cannot update ${object} that is not owned by you, or you are not an administrator of.`;
}
