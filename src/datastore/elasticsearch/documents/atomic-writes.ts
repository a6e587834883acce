import { setTimeout as sleep } from 'node:timers/promises';
import { Conflict, isConflict, isTriadError, NotFound, Unavailable } from '../../../errors/errors.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import type { BulkItem } from '../../port/collection.ts';
import { type ConflictLimits, pauseAfterConflict } from '../../port/retry-on-conflict.ts';
import { ABSENT, alreadyExists, checkVersion, type Version, versionConflict, versionOf } from '../../port/versions.ts';
import type { CollectionContext } from '../collection-context.ts';
import type { DocumentPlacement } from './document-placement.ts';
import type { DocumentReading, FoundDocument } from './document-reading.ts';
import { changedText, sourceText } from './document-source.ts';
import type { DocumentWrites, ItemOutcome } from './document-writes.ts';
import type { EngineWrite, EngineWriteOutcome } from './engine-writes.ts';

/** All is tried again while others change the documents. */
const LIMITS: ConflictLimits = { attempts: 8, first: 100, longest: 100 };
/**
 * Part of the transport timeout that is left for taking back, so that a caller waits no longer than
 * that for an engine that is away.
 */
const TAKE_BACK_SHARE = 0.25;

/** A document as it was, and as the items so far leave it. */
interface Change {
  readonly found: FoundDocument | undefined;
  /** JSON as it was stored; undefined: there was no document. */
  readonly before: string | undefined;
  /** JSON as it is to be stored; undefined: there is to be no document. */
  after: string | undefined;
}

/** A change that has been carried out, and in which state it left the document. */
interface Carried {
  readonly id: string;
  readonly change: Change;
  readonly left: Extract<EngineWriteOutcome, { ok: true }>;
}

type Refusal = Extract<EngineWriteOutcome, { ok: false }>;

/**
 * All items or none, on servers without transactions:
 * docs/decisions/0010-visible-writes-and-atomic-bulks-on-search-engines.md says what that can mean there. Everything is
 * checked on what is stored before anything is written; each write is refused when its document is no longer what was
 * checked; when one is refused, those that were carried out are taken back and all is tried again.
 */
export class AtomicWrites {
  readonly #context: Pick<CollectionContext<unknown>, 'alias' | 'limits'>;
  readonly #reading: DocumentReading;
  readonly #placement: DocumentPlacement;
  readonly #writes: DocumentWrites;

  constructor(
    context: Pick<CollectionContext<unknown>, 'alias' | 'limits'>,
    reading: DocumentReading,
    placement: DocumentPlacement,
    writes: DocumentWrites,
  ) {
    this.#context = context;
    this.#reading = reading;
    this.#placement = placement;
    this.#writes = writes;
  }

  /**
   * An outcome per item, in order; when one failed, the others are `not_applied`.
   * @throws Unavailable `partly_applied`, when what was carried out could not be taken back
   */
  async apply(items: readonly BulkItem<unknown>[]): Promise<readonly ItemOutcome[]> {
    for (let attempt = 1; ; attempt += 1) {
      const { changes, failures } = this.#check(items, await this.#present(items, attempt));
      if (failures.size > 0) return refused(items, (_id, at) => failures.get(at));
      const { carried, refusals } = await this.#carryOut(changes);
      if (refusals.size === 0) return applied(items, changes, carried);
      await this.#takeBack(changes, carried, refusals);
      const raced = [...refusals.values()].every(({ error }) => isConflict(error));
      if (!raced || attempt === LIMITS.attempts) return refused(items, (id) => refusals.get(id)?.error);
      await pauseAfterConflict(attempt, LIMITS);
    }
  }

  /** Returns the documents after the items, and the errors of items that cannot be applied, by position. */
  #check(
    items: readonly BulkItem<unknown>[],
    changes: Map<string, Change>,
  ): { changes: ReadonlyMap<string, Change>; failures: ReadonlyMap<number, Error> } {
    const failures = new Map<number, Error>();
    for (const [at, item] of items.entries()) {
      const change = changes.get(item.id);
      if (change === undefined) continue;
      try {
        change.after = this.#afterItem(item, change);
      } catch (error) {
        if (!isTriadError(error)) throw error;
        failures.set(at, error);
      }
    }
    return { changes, failures };
  }

  /** Returns the stored documents with the identifiers of the items. */
  async #present(items: readonly BulkItem<unknown>[], attempt: number): Promise<Map<string, Change>> {
    const ids = [...new Set(items.map(({ id }) => id))];
    if (attempt === 1 && items.every(isCreation) && !(await this.#placement.hasSeveralIndices())) {
      // New documents under new identifiers, as nearly always: the writes check by themselves. One that fails leads to a second attempt.
      return new Map(ids.map((id) => [id, { found: undefined, before: undefined, after: undefined }]));
    }
    /** Items whose current state may have to be restored. */
    const changed = new Set(items.filter((item) => !isCreation(item)).map(({ id }) => id));
    const [bare, full] = await Promise.all([
      this.#readAll(
        ids.filter((id) => !changed.has(id)),
        false,
      ),
      this.#readAll([...changed], true),
    ]);
    const changes = new Map<string, Change>();
    for (const id of ids) {
      const found = bare.get(id) ?? full.get(id);
      const before = found && sourceText(id, found.source);
      changes.set(id, { found, before, after: before });
    }
    return changes;
  }

  async #readAll(ids: readonly string[], source: boolean): Promise<ReadonlyMap<string, FoundDocument | undefined>> {
    const found = await this.#reading.read(ids, { source });
    return new Map(ids.map((id, at) => [id, found[at]]));
  }

  /** JSON of the document after the item. */
  #afterItem(item: BulkItem<unknown>, { found, before, after }: Change): string | undefined {
    const { alias } = this.#context;
    const { id, ifVersion } = item;
    if (ifVersion === ABSENT && after !== undefined) throw alreadyExists(alias, id);
    if (ifVersion !== undefined && ifVersion !== ABSENT) {
      checkVersion(ifVersion, found, alias, id);
      // An earlier item of the same bulk has changed it.
      if (after !== before) throw versionConflict(alias, id, ifVersion, null);
    }
    if (item.kind === 'save') return this.#writes.textOf(id, item.document);
    if (item.kind === 'delete') return undefined;
    if (after === undefined) throw new NotFound('document_missing', `${alias}: there is no document ${id}.`);
    const source = parseJson(after) as Record<string, unknown>;
    return changedText({ id, source }, item.operations) ?? after;
  }

  async #carryOut(
    changes: ReadonlyMap<string, Change>,
  ): Promise<{ carried: Carried[]; refusals: ReadonlyMap<string, Refusal> }> {
    const ids: string[] = [];
    const writes: EngineWrite[] = [];
    for (const [id, change] of changes) {
      const { found, before, after } = change;
      if (after === before) continue;
      ids.push(id);
      if (found === undefined) writes.push(writeOf(id, after, { index: undefined }));
      else writes.push(writeOf(id, after, await this.#placement.targetOf(found)));
    }
    const outcomes = await this.#placement.send(writes, {
      stopAtFailure: true,
      patience: this.#context.limits.transportTimeout * (1 - TAKE_BACK_SHARE),
    });
    const carried: Carried[] = [];
    const refusals = new Map<string, Refusal>();
    for (const [at, id] of ids.entries()) {
      const outcome = outcomes[at];
      const change = changes.get(id);
      if (outcome?.ok && change) carried.push({ id, change, left: outcome });
      else if (outcome && !outcome.ok) refusals.set(id, outcome);
    }
    return { carried, refusals };
  }

  /** Restores what was there, unless others have changed it since: then they have built on it. */
  async #takeBack(
    changes: ReadonlyMap<string, Change>,
    carried: readonly Carried[],
    refusals: ReadonlyMap<string, Refusal>,
  ): Promise<void> {
    const patience = this.#context.limits.transportTimeout * TAKE_BACK_SHARE;
    try {
      await within(patience, this.#takeBackNow(changes, carried, refusals, patience));
    } catch (error) {
      if (!isTriadError(error)) throw error;
      throw new Unavailable(
        'partly_applied',
        `${this.#context.alias}: a bulk of ${changes.size} documents failed, and what was stored of it could not be taken back (${error.message}). Look which of them are there before it is repeated.`,
        { cause: error, ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }) },
      );
    }
  }

  async #takeBackNow(
    changes: ReadonlyMap<string, Change>,
    carried: readonly Carried[],
    refusals: ReadonlyMap<string, Refusal>,
    patience: number,
  ): Promise<void> {
    const all = [...carried, ...(await this.#carriedUnheard(changes, refusals, patience))];
    const writes = all.map(({ id, change, left: { index, seq, term } }): EngineWrite => {
      if (change.after === undefined) return { id, action: 'create', index, source: change.before ?? '' };
      return writeOf(id, change.before, { index, condition: { seq, term } });
    });
    for (const outcome of await this.#placement.send(writes, { patience })) {
      if (outcome?.ok === false && !isConflict(outcome.error)) throw outcome.error;
    }
  }

  /** Writes whose answer was lost, and which were carried out all the same. */
  async #carriedUnheard(
    changes: ReadonlyMap<string, Change>,
    refusals: ReadonlyMap<string, Refusal>,
    timeout: number,
  ): Promise<Carried[]> {
    const unheard = [...refusals].flatMap(([id, { uncertain }]) => (uncertain ? [id] : []));
    const found = await this.#reading.read(unheard, { timeout });
    return unheard.flatMap((id, at) => {
      const change = changes.get(id);
      const now = found[at];
      const place = now ?? change?.found;
      if (change === undefined || place === undefined || textAt(now) !== change.after) return [];
      const { index, seq, term } = place;
      return [{ id, change, left: { ok: true, index, seq, term, existed: true } }];
    });
  }
}

/** Lets work go on that takes too long, and waits no longer. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: waiting.signal }).then(() => {
    throw new Unavailable('datastore_unavailable', 'the search engine gave no answer in time');
  });
  try {
    await Promise.race([work, late]);
  } finally {
    waiting.abort();
    for (const left of [work, late]) left.catch(() => undefined);
  }
}

function isCreation(item: BulkItem<unknown>): boolean {
  return item.kind === 'save' && item.ifVersion === ABSENT;
}

function textAt(found: FoundDocument | undefined): string | undefined {
  return found && sourceText(found.id, found.source);
}

/** Stores `text`, or removes the document when there is none. */
function writeOf(id: string, text: string | undefined, target: Pick<EngineWrite, 'index' | 'condition'>): EngineWrite {
  if (text === undefined) return { id, action: 'delete', ...target };
  return { id, action: target.condition ? 'index' : 'create', source: text, ...target };
}

function applied(
  items: readonly BulkItem<unknown>[],
  changes: ReadonlyMap<string, Change>,
  carried: readonly Carried[],
): ItemOutcome[] {
  const left = new Map(carried.map((one) => [one.id, one.left]));
  return items.map(({ id }) => {
    const place = left.get(id) ?? changes.get(id)?.found;
    const version: Version = place === undefined ? '' : versionOf(place);
    return { ok: true, id, version, index: place?.index, existed: changes.get(id)?.found !== undefined };
  });
}

function refused(
  items: readonly BulkItem<unknown>[],
  failureOf: (id: string, at: number) => Error | undefined,
): ItemOutcome[] {
  const others = new Conflict('not_applied', 'Another item of the bulk failed, so none was applied.');
  return items.map(({ id }, at) => ({ ok: false, id, error: failureOf(id, at) ?? others }));
}
