import { Conflict, isConflict, isTriadError, NotFound, type TriadError } from '../../../errors/errors.ts';
import type { BulkItem } from '../../port/collection.ts';
import { MAX_ATTEMPTS, pauseAfterConflict } from '../../port/retry-on-conflict.ts';
import { ABSENT, alreadyExists, checkVersion, type Version, versionConflict, versionOf } from '../../port/versions.ts';
import type { CollectionContext } from '../collection-context.ts';
import type { DocumentPlacement } from './document-placement.ts';
import type { DocumentReading, FoundDocument } from './document-reading.ts';
import { changedText, isIdentifier, newText, sourceText } from './document-source.ts';
import type { EngineWrite, EngineWriteOutcome } from './engine-writes.ts';

export type ItemOutcome = WrittenItem | { readonly ok: false; readonly id: string; readonly error: Error };

export interface WrittenItem {
  readonly ok: true;
  readonly id: string;
  readonly version: Version;
  /** Current or former index of the document; undefined: none. */
  readonly index: string | undefined;
  /** True if the document existed before. */
  readonly existed: boolean;
  /** JSON as it is stored, of updates. */
  readonly source?: string | undefined;
}

/** State of a document before it is written; `looked`: true if the document was looked up. */
interface Known {
  readonly looked: boolean;
  readonly found: FoundDocument | undefined;
}
const NOT_LOOKED: Known = { looked: false, found: undefined };

/** Carries out items of the port, each document by itself. */
export class DocumentWrites {
  readonly #context: Pick<CollectionContext<unknown>, 'alias'>;
  readonly #reading: DocumentReading;
  readonly #placement: DocumentPlacement;

  constructor(
    context: Pick<CollectionContext<unknown>, 'alias'>,
    reading: DocumentReading,
    placement: DocumentPlacement,
  ) {
    this.#context = context;
    this.#reading = reading;
    this.#placement = placement;
  }

  /**
   * An outcome per item, in order.
   * Items of the same document are carried out one after the other; when the engine gives no answer, those that were
   * not begun have the same outcome: the caller does not wait again for each of them.
   */
  async apply(items: readonly BulkItem<unknown>[]): Promise<ItemOutcome[]> {
    const outcomes: ItemOutcome[] = [];
    let gone: TriadError | undefined;
    for (const wave of wavesOf(items)) {
      const together = wave.flatMap((at) => items[at] ?? []);
      const results = gone === undefined ? await this.#applyWave(together) : allFailed(together, gone);
      gone ??= goneAmong(results);
      for (const [position, at] of wave.entries()) {
        const result = results[position];
        if (result) outcomes[at] = result;
      }
    }
    return outcomes;
  }

  /** Items of different documents. */
  async #applyWave(items: readonly BulkItem<unknown>[]): Promise<ItemOutcome[]> {
    const outcomes: ItemOutcome[] = [];
    let pending = [...items.keys()];
    for (let attempt = 1; pending.length > 0; attempt += 1) {
      const carried = await this.#carryOut(items, pending, outcomes);
      pending = [];
      if (carried === undefined) break;
      const { writes, positions, sent } = carried;
      for (const [position, at] of positions.entries()) {
        const item = items[at];
        const write = writes[position];
        const outcome = sent[position];
        if (!item || !write || !outcome) throw new Error('a write was left out');
        if (mayRepeat(item, outcome) && attempt < MAX_ATTEMPTS) pending.push(at);
        else outcomes[at] = this.#resultOf(item, write, outcome);
      }
      if (pending.length > 0) await pauseAfterConflict(attempt);
    }
    return outcomes;
  }

  /**
   * Plans and sends. What the engine did not let happen is a failure of the items that were left: others
   * may have been carried out before.
   */
  async #carryOut(items: readonly BulkItem<unknown>[], pending: readonly number[], outcomes: ItemOutcome[]) {
    try {
      const { writes, positions } = await this.#plan(items, pending, outcomes);
      return { writes, positions, sent: await this.#placement.send(writes) };
    } catch (error) {
      if (!isTriadError(error)) throw error;
      for (const at of pending) outcomes[at] ??= { ok: false, id: items[at]?.id ?? '', error };
      return undefined;
    }
  }

  /** Returns the writes to send, and records the outcomes that need no write in `outcomes`. */
  async #plan(
    items: readonly BulkItem<unknown>[],
    pending: readonly number[],
    outcomes: ItemOutcome[],
  ): Promise<{ writes: EngineWrite[]; positions: number[] }> {
    const known = await this.#lookUp(items, pending);
    const writes: EngineWrite[] = [];
    const positions: number[] = [];
    for (const at of pending) {
      const item = items[at];
      if (!item) continue;
      try {
        const planned = await this.#planItem(item, known.get(item.id) ?? NOT_LOOKED);
        if ('ok' in planned) outcomes[at] = planned;
        else {
          writes.push(planned);
          positions.push(at);
        }
      } catch (error) {
        if (!isTriadError(error)) throw error;
        outcomes[at] = { ok: false, id: item.id, error };
      }
    }
    return { writes, positions };
  }

  /** Finds the documents whose present state or place decides. */
  async #lookUp(items: readonly BulkItem<unknown>[], pending: readonly number[]): Promise<ReadonlyMap<string, Known>> {
    const several = await this.#placement.hasSeveralIndices();
    const changed: string[] = [];
    const placed: string[] = [];
    for (const at of pending) {
      const item = items[at];
      if (!item) continue;
      if (item.kind === 'update') changed.push(item.id);
      else if (!isIdentifier(item.id) || (item.kind === 'delete' && item.ifVersion === ABSENT)) placed.push(item.id);
      else if (several && (item.ifVersion === undefined || item.ifVersion === ABSENT)) placed.push(item.id);
    }
    const [documents, places] = await Promise.all([
      this.#reading.read(changed),
      this.#reading.read(placed, { source: false }),
    ]);
    const known = new Map<string, Known>();
    for (const [at, id] of changed.entries()) known.set(id, { looked: true, found: documents[at] });
    for (const [at, id] of placed.entries()) known.set(id, { looked: true, found: places[at] });
    return known;
  }

  async #planItem(item: BulkItem<unknown>, known: Known): Promise<EngineWrite | WrittenItem> {
    switch (item.kind) {
      case 'save':
        return this.#planSave(item, known);
      case 'delete':
        return this.#planDelete(item, known);
      case 'update':
        return this.#planUpdate(item, known);
    }
  }

  async #planSave(item: Extract<BulkItem<unknown>, { kind: 'save' }>, { found }: Known): Promise<EngineWrite> {
    const { id, ifVersion } = item;
    const source = newText(this.#context.alias, id, item.document);
    if (ifVersion === ABSENT) {
      if (found) throw alreadyExists(this.#context.alias, id);
      return { id, action: 'create', index: undefined, source };
    }
    if (ifVersion !== undefined) {
      return { id, action: 'index', source, ...(await this.#placement.targetOfVersion(id, ifVersion)) };
    }
    const place = found ? await this.#placement.placeOf(found) : { index: undefined };
    return { id, action: 'index', source, ...place };
  }

  async #planDelete(
    { id, ifVersion }: Extract<BulkItem<unknown>, { kind: 'delete' }>,
    { looked, found }: Known,
  ): Promise<EngineWrite | WrittenItem> {
    if (looked && found === undefined) {
      checkVersion(ifVersion, undefined, this.#context.alias, id);
      return { ok: true, id, version: '', index: undefined, existed: false };
    }
    if (ifVersion === ABSENT) throw alreadyExists(this.#context.alias, id);
    if (ifVersion !== undefined) {
      return { id, action: 'delete', ...(await this.#placement.targetOfVersion(id, ifVersion)) };
    }
    const place = found ? await this.#placement.placeOf(found) : { index: undefined };
    return { id, action: 'delete', ...place };
  }

  async #planUpdate(
    { id, operations, ifVersion }: Extract<BulkItem<unknown>, { kind: 'update' }>,
    { found }: Known,
  ): Promise<EngineWrite | WrittenItem> {
    const { alias } = this.#context;
    checkVersion(ifVersion, found, alias, id);
    if (!found) throw new NotFound('document_missing', `${alias}: there is no document ${id}.`);
    const source = changedText(found, operations);
    if (source === undefined) {
      const unchanged = sourceText(id, found.source);
      return { ok: true, id, version: versionOf(found), index: found.index, existed: true, source: unchanged };
    }
    return { id, action: 'index', source, ...(await this.#placement.targetOf(found)) };
  }

  #resultOf(item: BulkItem<unknown>, write: EngineWrite, outcome: EngineWriteOutcome): ItemOutcome {
    const { id, ifVersion } = item;
    if (outcome.ok) {
      const { index, existed } = outcome;
      const version = item.kind === 'delete' && !existed ? '' : versionOf(outcome);
      return { ok: true, id, version, index, existed, source: item.kind === 'update' ? write.source : undefined };
    }
    if (!isConflict(outcome.error)) return { ok: false, id, error: outcome.error };
    return { ok: false, id, error: this.#conflictOf(id, item.kind, ifVersion, outcome) };
  }

  #conflictOf(
    id: string,
    kind: BulkItem<unknown>['kind'],
    ifVersion: Version | undefined,
    { error }: Extract<EngineWriteOutcome, { ok: false }>,
  ): Error {
    const { alias } = this.#context;
    if (ifVersion === ABSENT && kind === 'save') return error;
    if (ifVersion !== undefined) return versionConflict(alias, id, ifVersion, null);
    return new Conflict('version_conflict', `${alias}: others kept changing the document ${id}. Repeat the change.`);
  }
}

/** Positions of items that can be carried out together: of each document at most one. */
function wavesOf(items: readonly BulkItem<unknown>[]): number[][] {
  const waves: number[][] = [];
  const seen = new Map<string, number>();
  for (const [at, { id }] of items.entries()) {
    const before = seen.get(id) ?? 0;
    seen.set(id, before + 1);
    const wave = waves[before] ?? [];
    wave.push(at);
    waves[before] = wave;
  }
  return waves;
}

function allFailed(items: readonly BulkItem<unknown>[], error: TriadError): ItemOutcome[] {
  return items.map(({ id }) => ({ ok: false, id, error }));
}

function goneAmong(outcomes: readonly ItemOutcome[]): TriadError | undefined {
  const errors = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]));
  return errors.filter(isTriadError).find(({ code }) => code === 'datastore_unavailable');
}

/** Returns whether an update with a conflict is repeated on the new state. */
function mayRepeat(item: BulkItem<unknown>, outcome: EngineWriteOutcome): boolean {
  return item.kind === 'update' && item.ifVersion === undefined && !outcome.ok && isConflict(outcome.error);
}
