import { isDeepStrictEqual } from 'node:util';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { allOf, not, type QueryNode } from '../../datastore/port/query-tree.ts';
import { type ReadAccess, unrestricted } from '../../datastore/port/read-access.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import { type Signature, signatureDocument } from '../../documents/kinds/analysis/signature.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { formatDate, readDate, UnreadableDate } from '../../documents/schema/values/date-values.ts';
import { Forbidden, InvalidInput, isConflict, NotFound, TooLarge } from '../../errors/errors.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';

export interface SignatureServiceDependencies {
  readonly signatures: Collection<Signature>;
  readonly results: Pick<Collection<Result>, 'search' | 'stats'>;
  readonly classification: ClassificationEngine;
  /** Tells updaters that signatures changed. Never fails. */
  readonly changed: (change: SignatureChange) => Promise<void>;
  readonly now?: () => Date;
}

export interface SignatureChange {
  readonly type: string;
  readonly source: string;
  /** `*`: many. */
  readonly id: string;
  readonly operation: 'added' | 'modified' | 'removed';
}

type SignatureActor = Pick<Actor, 'username' | 'classification' | 'searchAccess'>;
type Raw = Readonly<Record<string, unknown>>;

const IN_USE: readonly string[] = ['DEPLOYED', 'NOISY', 'DISABLED'];
const DRAFTS: readonly string[] = ['STAGING', 'TESTING'];
const ACCESS = unrestricted('an import replaces a signature of any classification');
/** Signatures of one import. */
const MAX_SIGNATURES = 20_000;
const CHUNK = 50;

/** Stores the rules that services apply to files. Every read shows what its access admits. */
export class SignatureService {
  readonly #signatures: Collection<Signature>;
  readonly #dependencies: SignatureServiceDependencies;
  readonly #now: () => Date;

  constructor(dependencies: SignatureServiceDependencies) {
    this.#dependencies = dependencies;
    this.#signatures = classifiedCollection(dependencies.signatures, signatureDocument, dependencies.classification);
    this.#now = dependencies.now ?? (() => new Date());
  }

  /** Returns a signature with statistics of the visible results. @throws `signature_missing` */
  async get(id: string, access: ReadAccess): Promise<Signature> {
    const signature = await this.#find(id, access);
    return { ...signature, stats: await this.#statistics(signature, access) };
  }

  /** Returns the stored statistics of all signatures. */
  async statistics(access: ReadAccess): Promise<readonly object[]> {
    const found: object[] = [];
    for await (const { id, document } of this.#signatures.stream({ query: { kind: 'all' } }, access)) {
      const { classification, name, source, type, stats } = document;
      const { first_hit = null, last_hit = null, ...counts } = stats;
      found.push({ ...counts, first_hit, last_hit, classification, id, name, source, type });
    }
    return found;
  }

  /** Returns whether signatures changed after a time. @throws InvalidInput `invalid_date` */
  async hasNewer(since: string | undefined, type: string | undefined, access: ReadAccess): Promise<boolean> {
    const query: QueryNode =
      type === undefined || type === '*' ? { kind: 'all' } : { kind: 'term', field: 'type', value: type };
    const sort = [{ field: 'last_modified', order: 'desc' }] as const;
    const { items } = await this.#signatures.search({ query, rows: 1, sort }, access);
    const newest = items[0]?.document.last_modified;
    return newest !== undefined && newest > readSince(since, this.#now());
  }

  /**
   * Adds a signature, or replaces one whose text changed.
   * @param options.dedupeName refuses a second signature of the same name, type and source
   * @throws InvalidInput `signature_incomplete`, `signature_name_taken`, `invalid_document`; Forbidden
   */
  async add(actor: SignatureActor, input: Raw, options: { readonly dedupeName: boolean }): Promise<string> {
    const { id, name, type, source } = readKey(input);
    if (options.dedupeName && (await this.#isNameTaken(id, { name, type, source }))) {
      throw new InvalidInput('signature_name_taken', 'A signature with that name already exists', {
        response: { success: false },
      });
    }
    const stored = await this.#signatures.get(id, ACCESS);
    if (stored !== undefined && stored.data === input.data) return id;
    await this.#save(actor, id, input);
    const operation = stored === undefined ? 'added' : 'modified';
    await this.#dependencies.changed({ type, source, id, operation });
    return id;
  }

  /** Adds and replaces many signatures; skips those whose name another one of type and source has. */
  async addMany(
    actor: SignatureActor,
    inputs: readonly unknown[],
    { type, source, dedupeName }: { readonly type: string; readonly source: string; readonly dedupeName: boolean },
  ): Promise<{ readonly success: number; readonly skipped: readonly string[] }> {
    if (inputs.length > MAX_SIGNATURES) {
      const message = `There are ${inputs.length} signatures, and at most ${MAX_SIGNATURES} are allowed. Send them in parts.`;
      throw new TooLarge('too_many_signatures', message);
    }
    const read = inputs.map((input) => ({ input: input as Raw, ...readKey(input) }));
    for (const { input } of read) this.#read(actor, input, undefined);
    const skipped = dedupeName ? await this.#takenIds(read, { type, source }) : [];
    const added = read.filter(({ id }) => !skipped.includes(id));
    for (let at = 0; at < added.length; at += CHUNK) {
      await Promise.all(added.slice(at, at + CHUNK).map(({ id, input }) => this.#save(actor, id, input)));
    }
    if (added.length > 0) await this.#dependencies.changed({ type, source, id: '*', operation: 'modified' });
    return { success: added.length, skipped };
  }

  /**
   * Stores signatures of another installation.
   * All are checked before the first is stored.
   * A stored one keeps its status and its statistics.
   * @param raise returns the classification of two that is not lower than either; it may refuse
   * @throws InvalidInput `signature_incomplete`, `invalid_document`
   */
  async takeOver(
    actor: SignatureActor,
    inputs: readonly Raw[],
    raise: (classification: string, other?: string) => string,
  ): Promise<void> {
    const read = inputs.map((input) => ({ ...readKey(input), signature: this.#read(actor, input, undefined) }));
    for (const { id, type, source, signature } of read) {
      const isChanged = await retryOnConflict(async () => {
        const found = await this.#signatures.getVersioned(id, ACCESS);
        const stored = found?.document;
        const classification = raise(signature.classification, stored?.classification);
        const united = { ...signature, classification, ...(stored === undefined ? {} : decisionsOn(stored)) };
        if (stored !== undefined && isDeepStrictEqual(united, stored)) return false;
        await this.#signatures.save(id, united, { ifVersion: found?.version ?? ABSENT, visible: 'soon' });
        return true;
      }, isConflict);
      if (isChanged) await this.#dependencies.changed({ type, source, id, operation: 'modified' });
    }
  }

  /** Sets the status, and disables others of the same identifier with it. @throws `status_refused` */
  async setStatus(actor: SignatureActor, id: string, status: string): Promise<void> {
    if (![...IN_USE, ...DRAFTS].includes(status)) {
      throw statusRefused(`You cannot apply the status ${status} on yara rules.`);
    }
    const signature = await this.#find(id, actor.searchAccess);
    if (signature.status === 'INVALID' && !DRAFTS.includes(status)) {
      throw statusRefused(
        `Only action available while signature in INVALID status is to change signature to a DRAFT status. (${DRAFTS.join(', ')})`,
      );
    }
    if (IN_USE.includes(signature.status) && DRAFTS.includes(status)) {
      throw statusRefused(`You cannot change the status of signature ${id} from ${signature.status} to ${status}.`);
    }
    const now = formatDate(this.#now());
    const operations = (value: string) =>
      [
        { op: 'set', path: 'last_modified', value: now },
        { op: 'set', path: 'state_change_date', value: now },
        { op: 'set', path: 'state_change_user', value: actor.username },
        { op: 'set', path: 'status', value },
      ] as const;
    if (!['DISABLED', 'TESTING'].includes(status) && signature.signature_id !== undefined) {
      const same = allOf(
        { kind: 'term', field: 'status', value: status },
        { kind: 'term', field: 'signature_id', value: signature.signature_id },
        not({ kind: 'ids', ids: [id] }),
      );
      const options = { access: actor.searchAccess, visible: 'now' } as const;
      await this.#signatures.updateWhere({ query: same }, operations('DISABLED'), options);
    }
    await this.#signatures.update(id, operations(status), { visible: 'now' });
    await this.#tell(signature, id, 'modified');
  }

  /** Forgets who changed the status last. @throws NotFound `signature_missing` */
  async clearStatus(actor: SignatureActor, id: string): Promise<void> {
    const signature = await this.#signatures.get(id, actor.searchAccess);
    if (signature === undefined) {
      const message = 'This signature was not found in the system.';
      throw new NotFound('signature_missing', message, { response: { success: false } });
    }
    await this.#signatures.update(
      id,
      [
        { op: 'unset', path: 'state_change_date' },
        { op: 'unset', path: 'state_change_user' },
      ],
      { visible: 'now' },
    );
    await this.#tell(signature, id, 'modified');
  }

  /** @throws NotFound `signature_missing` */
  async delete(actor: SignatureActor, id: string): Promise<void> {
    const signature = await this.#find(id, actor.searchAccess);
    await this.#signatures.delete(id, { visible: 'now' });
    await this.#tell(signature, id, 'removed');
  }

  async #tell({ type, source }: Signature, id: string, operation: SignatureChange['operation']): Promise<void> {
    await this.#dependencies.changed({ type, source, id, operation });
  }

  async #find(id: string, access: ReadAccess): Promise<Signature> {
    const signature = await this.#signatures.get(id, access);
    if (signature === undefined) throw new NotFound('signature_missing', `Signature not found. (${id})`);
    return signature;
  }

  /** Saves a signature. The decisions of people and its statistics stay when its text changes. */
  async #save(actor: SignatureActor, id: string, input: Raw): Promise<void> {
    await retryOnConflict(async () => {
      const stored = await this.#signatures.getVersioned(id, ACCESS);
      const signature = this.#read(actor, input, stored?.document);
      await this.#signatures.save(id, signature, { ifVersion: stored?.version ?? ABSENT, visible: 'now' });
    }, isConflict);
  }

  #read(actor: SignatureActor, input: Raw, stored: Signature | undefined): Signature {
    const { classification } = this.#dependencies;
    const wasDecided = stored?.state_change_user !== undefined;
    const kept = stored && {
      stats: stored.stats,
      state_change_date: stored.state_change_date,
      state_change_user: stored.state_change_user,
      ...(wasDecided && input.status === 'DEPLOYED' ? { status: stored.status } : {}),
    };
    const { state_change_date: _date, state_change_user: _user, stats: _stats, ...sent } = input;
    const completed = {
      signature_id: input.name,
      status: 'DEPLOYED',
      last_modified: formatDate(this.#now()),
      ...sent,
      ...kept,
    };
    const options = { unknown: 'drop', classification, now: this.#now() } as const;
    const { document } = readDocument(signatureDocument, completed, options);
    if (classification.isAccessible(actor.classification, document.classification)) return document;
    const message = `The classification ${document.classification} is above yours, ${actor.classification}.`;
    throw new Forbidden('classification_refused', message);
  }

  async #isNameTaken(id: string, members: Readonly<Record<string, string>>): Promise<boolean> {
    const terms = Object.entries(members).map(([field, value]): QueryNode => ({ kind: 'term', field, value }));
    return (await this.#signatures.count({ query: allOf(...terms, not({ kind: 'ids', ids: [id] })) }, ACCESS)) > 0;
  }

  async #takenIds(
    read: readonly { readonly id: string; readonly name: string }[],
    { type, source }: { readonly type: string; readonly source: string },
  ): Promise<readonly string[]> {
    const idOfName = new Map(read.map(({ id, name }) => [name, id]));
    const query = allOf({ kind: 'term', field: 'type', value: type }, { kind: 'term', field: 'source', value: source });
    const taken = new Set<string>();
    for await (const { id, document } of this.#signatures.stream({ query, fields: ['name'] }, ACCESS)) {
      const own = idOfName.get(document.name);
      if (own !== undefined && own !== id) taken.add(own);
    }
    return [...taken];
  }

  /** Signatures are hit as tags `file.rule.<type>` with the source before their name. */
  async #statistics({ type, source, name, stats }: Signature, access: ReadAccess): Promise<Signature['stats']> {
    const { results } = this.#dependencies;
    const field = `result.sections.tags.file.rule.${type}`;
    const query: QueryNode = { kind: 'term', field, value: `${source}.${name}` };
    const { count, min, max, avg, sum } = await results.stats({ query, field: 'result.score' }, access);
    if (count === 0) return stats;
    const seen = async (order: 'asc' | 'desc') => {
      const { items } = await results.search({ query, rows: 1, sort: [{ field: 'created', order }] }, access);
      return items[0]?.document.created;
    };
    return {
      count,
      min: Number(min ?? 0),
      max: Number(max ?? 0),
      avg: Math.trunc(avg ?? 0),
      sum: Number(sum),
      first_hit: await seen('asc'),
      last_hit: await seen('desc'),
    };
  }
}

function decisionsOn({ stats, status, state_change_date, state_change_user }: Signature) {
  return {
    ...{ stats, status },
    ...(state_change_date === undefined ? {} : { state_change_date }),
    ...(state_change_user === undefined ? {} : { state_change_user }),
  };
}

/** Returns the identifier of a signature and its parts. @throws InvalidInput `signature_incomplete` */
function readKey(input: unknown): {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly source: string;
} {
  const given = isObject(input) ? input : {};
  const [name, type, source, data] = ['name', 'type', 'source', 'data'].map((member) => {
    const value = given[member];
    return typeof value === 'string' ? value : '';
  }) as [string, string, string, string];
  if (name === '' || type === '' || source === '' || data === '') {
    const message = 'Signature id, name, type and data are mandatory fields.';
    throw new InvalidInput('signature_incomplete', message, { response: '' });
  }
  const signatureId = typeof given.signature_id === 'string' && given.signature_id !== '' ? given.signature_id : name;
  return { id: `${type}_${source}_${signatureId}`, name, type, source };
}

function readSince(since: string | undefined, now: Date): string {
  if (since === undefined) return '';
  try {
    return readDate(since, now);
  } catch (error) {
    if (!(error instanceof UnreadableDate)) throw error;
    throw new InvalidInput('invalid_date', `The time ${JSON.stringify(since)} cannot be read.`, { at: 'last_update' });
  }
}

function statusRefused(message: string): Forbidden {
  return new Forbidden('status_refused', message, { response: '' });
}
