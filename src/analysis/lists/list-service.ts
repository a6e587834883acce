import { isDeepStrictEqual } from 'node:util';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { type ReadAccess, unrestricted } from '../../datastore/port/read-access.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { Forbidden, InvalidInput, isConflict, isTriadError, messageOf, NotFound } from '../../errors/errors.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import { shownValue } from '../../input/input-reader.ts';
import type { ListItem, ListKind, ListSource } from './list-kind.ts';
import { distinctSources, highest, invalidEntry, mergeEntries } from './list-merge.ts';
import { digestOf, listedTagValue } from './listed-values.ts';

export interface ListServiceDependencies<T extends object> {
  readonly entries: Collection<T>;
  readonly kind: ListKind<T>;
  readonly classification: ClassificationEngine;
  readonly now?: () => Date;
}

type ListActor = Pick<Actor, 'username' | 'roles' | 'classification' | 'searchAccess'>;
type Raw = Readonly<Record<string, unknown>>;

/** An entry as it was sent, with its identifier. */
interface Prepared {
  readonly id: string;
  readonly raw: Raw;
}

export interface Added {
  readonly id: string;
  readonly operation: 'add' | 'update';
}

const DAY = 86_400_000;
/** Days of the longest life that can be asked for: 1,000 years. */
const MAX_DAYS = 365_000;
/** Entries of one request. */
export const MAX_ENTRIES = 10_000;
/** Entries that are stored at the same time. */
const CHUNK = 50;
const MERGE_ACCESS = unrestricted('an entry is merged with what is listed, with access or without');

/** Keeps the entries of a list of files, tags and signatures, with the sources of each. */
export class ListService<T extends object> {
  readonly #entries: Collection<T>;
  readonly #kind: ListKind<T>;
  readonly #classification: ClassificationEngine;
  readonly #now: () => Date;

  constructor({ entries, kind, classification, now = () => new Date() }: ListServiceDependencies<T>) {
    this.#entries = classifiedCollection(entries, kind.definition, classification);
    this.#kind = kind;
    this.#classification = classification;
    this.#now = now;
  }

  get(id: string, access: ReadAccess): Promise<T | undefined> {
    return this.#entries.get(id, access);
  }

  /** Returns the entries that exist of these. */
  async getMany(ids: readonly string[], access: ReadAccess): Promise<readonly T[]> {
    const found = await this.#entries.getMany([...new Set(ids)], access);
    return found.filter((entry): entry is Awaited<T> & T => entry !== undefined);
  }

  /**
   * Lists something, or adds to what is listed already.
   * @throws InvalidInput `list_hash_missing`, `list_value_missing`, `list_source_of_other`, `invalid_list_entry`;
   * Forbidden `external_source_refused`
   */
  async add(actor: ListActor, input: unknown): Promise<Added> {
    const prepared = this.#prepare(input);
    this.#checkSources(actor, prepared.raw);
    return this.#store(prepared);
  }

  /** Lists many things and returns how many; all are checked before the first is stored. Throws as `add`. */
  async addMany(actor: ListActor, inputs: readonly unknown[]): Promise<number> {
    if (inputs.length > MAX_ENTRIES) {
      const message = `The list has ${inputs.length} entries, and at most ${MAX_ENTRIES} are allowed. Send it in parts.`;
      throw new InvalidInput('too_many_entries', message, { response: null });
    }
    const prepared = inputs.map((input) => this.#prepare(input));
    for (const { raw } of prepared) {
      this.#checkSources(actor, raw);
      this.#read(raw);
    }
    for (let at = 0; at < prepared.length; at += CHUNK) {
      await Promise.all(prepared.slice(at, at + CHUNK).map((one) => this.#store(one, 'soon')));
    }
    return new Set(prepared.map(({ id }) => id)).size;
  }

  /**
   * Stores entries of another installation with their sources and dates.
   * All are checked before the first is stored.
   * A stored entry stays switched on or off, and no source and no entry gets a lower classification.
   * @param raise returns the classification of two that is not lower than either; it may refuse
   * @throws InvalidInput `list_hash_missing`, `list_value_missing`, `invalid_list_entry`
   */
  async takeOver(inputs: readonly unknown[], raise: (classification: string, other?: string) => string): Promise<void> {
    const read = inputs.map((input) => {
      const { id, raw } = this.#prepare(input);
      const { added, updated, expiry_ts: expiry, classification } = input as Raw;
      const own = { added: added ?? raw.added, updated: updated ?? raw.updated, expiry_ts: expiry };
      const entry = asItem(this.#read({ ...raw, ...own }));
      if (entry.sources.length === 0) throw invalidEntry('No valid source found');
      const sources = entry.sources.map((source) => ({ ...source, classification: raise(source.classification) }));
      const given = typeof classification === 'string' ? this.#normalised(classification) : undefined;
      return { id, entry: { ...entry, sources, classification: raise(highest(sources, this.#classification), given) } };
    });
    for (const { id, entry } of read) {
      await retryOnConflict(async () => {
        const found = await this.#entries.getVersioned(id, MERGE_ACCESS);
        const merged = found === undefined ? entry : this.#united(asItem(found.document), entry, raise);
        if (found !== undefined && isDeepStrictEqual(merged, found.document)) return;
        await this.#entries.save(id, merged as unknown as T, { ifVersion: found?.version ?? ABSENT, visible: 'soon' });
      }, isConflict);
    }
  }

  #united(stored: ListItem, added: ListItem, raise: (classification: string, other?: string) => string): ListItem {
    if (stored.type !== added.type) {
      throw invalidEntry(`${this.#kind.word} hash type mismatch: ${added.type} != ${stored.type}`);
    }
    const known = new Map(stored.sources.map(({ name, classification }) => [name, classification]));
    const sources = added.sources.map((source) => ({
      ...source,
      classification: raise(source.classification, known.get(source.name)),
    }));
    const sent = { ...added, sources } as unknown as T;
    const merged = asItem(mergeEntries(this.#kind, stored as unknown as T, sent, this.#classification));
    const classification = raise(raise(merged.classification, stored.classification), added.classification);
    const [updated = added.updated] = [stored.updated, added.updated].sort().reverse();
    return { ...merged, classification, updated };
  }

  #normalised(classification: string): string {
    try {
      return this.#classification.normalise(classification);
    } catch (error) {
      throw invalidEntry(messageOf(error), error);
    }
  }

  /** Returns false when there is no such entry. */
  setEnabled(actor: ListActor, id: string, enabled: boolean): Promise<boolean> {
    return this.#changeMember(actor, id, 'enabled', enabled);
  }

  /** Sets when an entry is deleted; undefined never. Returns false when there is no such entry. */
  setExpiry(actor: ListActor, id: string, expiry: string | undefined): Promise<boolean> {
    return this.#changeMember(actor, id, 'expiry_ts', expiry);
  }

  /** Classifies a source. @throws `list_source_refused`, `classification_refused`, `list_source_missing` */
  async classifySource(actor: ListActor, id: string, source: SourceName, classification: string): Promise<void> {
    const text = this.#classification.normalise(classification);
    if (!this.#classification.isAccessible(actor.classification, text)) {
      throw new Forbidden('classification_refused', "You cannot set a classification that you don't have access to", {
        response: null,
      });
    }
    const refused = `You are not allowed to change the classification for this ${this.#kind.name} item`;
    await this.#changeSources(actor, id, source, refused, (sources, at) =>
      sources.map((one, index) => (index === at ? { ...one, classification: text } : one)),
    );
  }

  /** Removes one source; the last one stays. @throws as `classifySource` */
  async removeSource(actor: ListActor, id: string, source: SourceName): Promise<void> {
    const { name } = this.#kind;
    const refused = `You are not allowed to remove this source from this ${name} item`;
    await this.#changeSources(actor, id, source, refused, (sources, at) => {
      if (sources.length > 1) return sources.filter((_, index) => index !== at);
      const message = `You are not allowed to remove the last source from this ${name} item`;
      throw new Forbidden('last_list_source', message, { response: null });
    });
  }

  /**
   * Deletes an entry, or strips the sources of a user without the right; the last one ends the entry.
   * Returns false when there is no such entry for a user without the right.
   */
  async delete(actor: ListActor, id: string): Promise<boolean> {
    const mayDelete = actor.roles.has('administration') || actor.roles.has('signature_manage');
    const changed = await this.#change(actor, id, (entry) => {
      const sources = mayDelete ? [] : asItem(entry).sources.filter(({ name }) => name !== actor.username);
      return sources.length === 0 ? undefined : { sources };
    });
    return changed || mayDelete;
  }

  /** Changes an entry that the actor may see. @throws NotFound `list_entry_missing` */
  async change(actor: ListActor, id: string, change: (entry: T) => Partial<T>): Promise<void> {
    if (!(await this.#change(actor, id, change as (entry: T) => object))) throw this.#missing();
  }

  #missing(): NotFound {
    const message = `The ${this.#kind.name} item your are trying to modify does not exists`;
    return new NotFound('list_entry_missing', message, { response: {} });
  }

  async #changeSources(
    actor: ListActor,
    id: string,
    { source, type }: SourceName,
    refused: string,
    change: (sources: readonly ListSource[], at: number) => readonly ListSource[],
  ): Promise<void> {
    const isOwn = type === 'user' && source === actor.username;
    if (!isOwn && !actor.roles.has('administration')) {
      throw new Forbidden('list_source_refused', refused, { response: null });
    }
    const changed = await this.#change(actor, id, (entry) => {
      const { sources } = asItem(entry);
      const at = sources.findIndex((one) => one.name === source && one.type === type);
      if (at === -1) {
        const message = `The specified source does not exist in the specified ${this.#kind.name} item`;
        throw new NotFound('list_source_missing', message, { response: {} });
      }
      return { sources: change(sources, at) };
    });
    if (!changed) throw this.#missing();
  }

  #changeMember(actor: ListActor, id: string, name: 'enabled' | 'expiry_ts', value: unknown): Promise<boolean> {
    return this.#change(actor, id, () => ({ [name]: value }));
  }

  /** Changes an entry that the actor may see, or deletes it for undefined; false when there is none. */
  async #change(actor: ListActor, id: string, change: (entry: T) => object | undefined): Promise<boolean> {
    return retryOnConflict(async () => {
      const stored = await this.#entries.getVersioned(id, actor.searchAccess);
      if (stored === undefined) return false;
      const members = change(stored.document);
      if (members === undefined) {
        await this.#entries.delete(id, { ifVersion: stored.version, visible: 'now' });
        return true;
      }
      const updated = formatDate(this.#now());
      const changed = { ...asItem(stored.document), ...members, updated };
      const { sources } = changed;
      const entry = { ...changed, classification: highest(sources, this.#classification) } as unknown as T;
      await this.#entries.save(id, entry, { ifVersion: stored.version, visible: 'now' });
      return true;
    }, isConflict);
  }

  /** Completes what was sent, and finds its identifier. @throws as `add` */
  #prepare(input: unknown): Prepared {
    if (!isObject(input)) throw invalidEntry('it must be an object');
    const { dtl, classification: _given, ...sent } = input;
    const now = formatDate(this.#now());
    const completed: Raw = {
      ...sent,
      ...this.#valueOf(input),
      ...this.#expiryOf(dtl, input),
      added: now,
      updated: now,
    };
    const hashes = isObject(completed.hashes) ? completed.hashes : {};
    const id = this.#kind.hashes.map((name) => hashes[name]).find((hash) => hash !== undefined && hash !== null);
    if (typeof id === 'string' && id !== '')
      return { id: id.toLowerCase() === id ? id : this.#idOf(id), raw: completed };
    throw new InvalidInput('list_hash_missing', 'No valid hash found', { response: null });
  }

  /** Hashes are written in lower case; only fuzzy ones keep theirs. */
  #idOf(hash: string): string {
    return /^[0-9a-f]{32,64}$/i.test(hash) && [32, 40, 64].includes(hash.length) ? hash.toLowerCase() : hash;
  }

  #valueOf({ type, tag, signature, file }: Raw): Raw {
    const none = { file: undefined, signature: undefined, tag: undefined };
    if (type === 'tag') {
      if (!isObject(tag) || typeof tag.type !== 'string' || typeof tag.value !== 'string') {
        throw new InvalidInput('list_value_missing', 'Tag data not found', { response: null });
      }
      const value = listedTagValue(tag.type, tag.value);
      return { ...none, tag: { type: tag.type, value }, hashes: { sha256: digestOf(tag.type, value) } };
    }
    if (type === 'signature' && this.#kind.types.includes('signature')) {
      if (!isObject(signature) || typeof signature.name !== 'string') {
        throw new InvalidInput('list_value_missing', 'Signature data not found', { response: null });
      }
      return { ...none, signature, hashes: { sha256: digestOf('signature', signature.name) } };
    }
    return { ...none, file: { name: [], ...(isObject(file) ? file : {}) } };
  }

  #expiryOf(dtl: unknown, { expiry_ts: expiry, type }: Raw): Raw {
    const days = dtl ? Number(dtl) : type === 'tag' ? this.#kind.daysToLive : 0;
    if (!Number.isFinite(days) || days < 0 || days > MAX_DAYS) {
      throw invalidEntry(`dtl must be a number of days from 0 to ${MAX_DAYS}`);
    }
    return { expiry_ts: days > 0 ? formatDate(new Date(this.#now().getTime() + days * DAY)) : expiry };
  }

  #checkSources(actor: ListActor, { sources }: Raw): void {
    for (const source of Array.isArray(sources) ? sources : []) {
      if (!isObject(source)) continue;
      if (source.type === 'user' && source.name !== actor.username) {
        const message = `You cannot add a source for another user. ${plain(source.name)} != ${actor.username}`;
        throw new InvalidInput('list_source_of_other', message, { response: null });
      }
      if (source.type !== 'user' && !actor.roles.has('signature_import')) {
        const message = 'You do not have sufficient priviledges to add an external source.';
        throw new Forbidden('external_source_refused', message, { response: null });
      }
    }
  }

  async #store({ id, raw }: Prepared, visible: 'now' | 'soon' = 'now'): Promise<Added> {
    return retryOnConflict(async () => {
      const stored = await this.#entries.getVersioned(id, MERGE_ACCESS);
      if (stored !== undefined && raw.type !== asItem(stored.document).type) {
        const { word } = this.#kind;
        throw invalidEntry(`${word} hash type mismatch: ${plain(raw.type)} != ${asItem(stored.document).type}`);
      }
      const added = this.#read(raw);
      const merged =
        stored === undefined ? added : mergeEntries(this.#kind, stored.document, added, this.#classification);
      await this.#entries.save(id, merged, { ifVersion: stored?.version ?? ABSENT, visible });
      return { id, operation: stored === undefined ? 'add' : 'update' } as const;
    }, isConflict);
  }

  #read(raw: Raw): T {
    const { definition, name } = this.#kind;
    try {
      const options = { unknown: 'drop', classification: this.#classification, path: name } as const;
      const { document } = readDocument(definition, { ...raw, classification: undefined }, options);
      const sources = distinctSources(asItem(document).sources);
      return { ...document, sources, classification: highest(sources, this.#classification) };
    } catch (error) {
      if (isTriadError(error) && error.kind === 'invalid_input') throw invalidEntry(messageOf(error), error);
      throw error;
    }
  }
}

/** Returns a value in a message as clients know it. */
function plain(value: unknown): string {
  return typeof value === 'object' ? shownValue(value) : String(value);
}

/** A source of an entry by its name and type. */
export interface SourceName {
  readonly source: string;
  readonly type: string;
}

function asItem<T>(entry: T): ListItem {
  return entry as unknown as ListItem;
}
