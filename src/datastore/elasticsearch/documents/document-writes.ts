import { Conflict, isConflict, isTriadError, NotFound, type TriadError } from '../../../errors/errors.ts';
import type { BulkItem } from '../../port/collection.ts';
import { MAX_ATTEMPTS, pauseAfterConflict } from '../../port/retry-on-conflict.ts';
import { ABSENT, alreadyExists, checkVersion, type Version, versionConflict, versionOf } from '../../port/versions.ts';
import type { IndexContext } from '../collection-context.ts';
import { hasSeveralIndices, placeOf, sendPlaced, targetOf, targetOfVersion } from './document-placement.ts';
import { type FoundDocument, readDocuments } from './document-reading.ts';
import { changedText, isIdentifier, newText, sourceText } from './document-source.ts';
import type { EngineWrite, EngineWriteOutcome } from './engine-writes.ts';

type Item = BulkItem<unknown>;
export type ItemOutcome = WrittenItem | { readonly ok: false; readonly id: string; readonly error: Error };

export interface WrittenItem {
  readonly ok: true;
  readonly id: string;
  readonly version: Version;
  /** Current or former index of the document; undefined: none. */
  readonly index: string | undefined;
  readonly existed: boolean;
  /** JSON as it is stored, of updates. */
  readonly source?: string | undefined;
}

/** Documents that were looked up, by identifier; undefined: there is none. */
type Known = ReadonlyMap<string, FoundDocument | undefined>;

/**
 * Carries out items, each document by itself, those of one document in order; an outcome per item.
 * When the engine gives no answer, items that were not begun have the same outcome, so that the caller waits once.
 */
export async function applyItems(context: IndexContext, items: readonly Item[]): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = [];
  const seen = new Map<string, number>();
  /** Items that can be carried out together: of each document at most one. */
  const waves = Map.groupBy(items.entries(), ([, { id }]) => {
    const earlier = seen.get(id) ?? 0;
    seen.set(id, earlier + 1);
    return earlier;
  });
  let gone: TriadError | undefined;
  for (const wave of waves.values()) {
    const together = wave.map(([, item]) => item);
    const results = gone === undefined ? await applyWave(context, together) : undefined;
    for (const [at, { id }] of wave) {
      const outcome = results?.get(id) ?? { ok: false, id, error: gone ?? new Error('a write was left out') };
      outcomes[at] = outcome;
      if (!outcome.ok && isTriadError(outcome.error) && outcome.error.code === 'datastore_unavailable') {
        gone ??= outcome.error;
      }
    }
  }
  return outcomes;
}

/** Items of different documents; the outcomes by identifier. */
async function applyWave(context: IndexContext, items: readonly Item[]): Promise<ReadonlyMap<string, ItemOutcome>> {
  const outcomes = new Map<string, ItemOutcome>();
  let pending = items;
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    const again: Item[] = [];
    try {
      const planned = await plan(context, pending, outcomes);
      const sent = await sendPlaced(
        context,
        planned.map(({ write }) => write),
      );
      for (const [at, { item, write }] of planned.entries()) {
        const outcome = sent[at];
        if (!outcome) throw new Error('a write was left out');
        if (mayRepeat(item, outcome) && attempt < MAX_ATTEMPTS) again.push(item);
        else outcomes.set(item.id, resultOf(context, item, write, outcome));
      }
    } catch (error) {
      if (!isTriadError(error)) throw error;
      // A failure of the items that are left: others may have been carried out before.
      for (const { id } of pending) if (!outcomes.has(id)) outcomes.set(id, { ok: false, id, error });
    }
    pending = again;
    if (pending.length > 0) await pauseAfterConflict(attempt);
  }
  return outcomes;
}

/** Returns the writes to send, and records the outcomes that need no write in `outcomes`. */
async function plan(context: IndexContext, items: readonly Item[], outcomes: Map<string, ItemOutcome>) {
  const known = await lookUp(context, items);
  const planned: { readonly item: Item; readonly write: EngineWrite }[] = [];
  for (const item of items) {
    try {
      const write = await planItem(context, item, known);
      if ('ok' in write) outcomes.set(item.id, write);
      else planned.push({ item, write });
    } catch (error) {
      if (!isTriadError(error)) throw error;
      outcomes.set(item.id, { ok: false, id: item.id, error });
    }
  }
  return planned;
}

/** Finds the documents whose present state or place decides. */
async function lookUp(context: IndexContext, items: readonly Item[]): Promise<Known> {
  const several = await hasSeveralIndices(context);
  const isPlaced = ({ kind, id, ifVersion }: Item): boolean => {
    if (kind === 'update') return false;
    if (!isIdentifier(id) || (kind === 'delete' && ifVersion === ABSENT)) return true;
    return several && (ifVersion === undefined || ifVersion === ABSENT);
  };
  const changed = items.filter(({ kind }) => kind === 'update').map(({ id }) => id);
  const placed = items.filter(isPlaced).map(({ id }) => id);
  const [documents, places] = await Promise.all([
    readDocuments(context, changed),
    readDocuments(context, placed, { source: false }),
  ]);
  return new Map([
    ...changed.map((id, at) => [id, documents[at]] as const),
    ...placed.map((id, at) => [id, places[at]] as const),
  ]);
}

async function planItem(context: IndexContext, item: Item, known: Known): Promise<EngineWrite | WrittenItem> {
  const { alias } = context;
  const { id, ifVersion } = item;
  const found = known.get(id);
  if (item.kind === 'update') {
    checkVersion(ifVersion, found, alias, id);
    if (!found) throw new NotFound('document_missing', `${alias}: there is no document ${id}.`);
    const source = changedText(found, item.operations);
    if (source !== undefined) return { id, action: 'index', source, ...(await targetOf(context, found)) };
    const unchanged = sourceText(id, found.source);
    return { ok: true, id, version: versionOf(found), index: found.index, existed: true, source: unchanged };
  }
  const write =
    item.kind === 'save'
      ? ({ id, action: 'index', source: newText(alias, id, item.document) } as const)
      : ({ id, action: 'delete' } as const);
  if (item.kind === 'delete' && known.has(id) && found === undefined) {
    checkVersion(ifVersion, undefined, alias, id);
    return { ok: true, id, version: '', index: undefined, existed: false };
  }
  if (ifVersion === ABSENT) {
    if (found || item.kind === 'delete') throw alreadyExists(alias, id);
    return { ...write, action: 'create', index: undefined };
  }
  if (ifVersion !== undefined) return { ...write, ...(await targetOfVersion(context, id, ifVersion)) };
  return { ...write, ...(found ? await placeOf(context, found) : { index: undefined }) };
}

function resultOf(context: IndexContext, item: Item, write: EngineWrite, outcome: EngineWriteOutcome): ItemOutcome {
  const { kind, id, ifVersion } = item;
  if (outcome.ok) {
    const { index, existed } = outcome;
    const version = kind === 'delete' && !existed ? '' : versionOf(outcome);
    return { ok: true, id, version, index, existed, source: kind === 'update' ? write.source : undefined };
  }
  const { error } = outcome;
  if (!isConflict(error) || (ifVersion === ABSENT && kind === 'save')) return { ok: false, id, error };
  if (ifVersion !== undefined) return { ok: false, id, error: versionConflict(context.alias, id, ifVersion, null) };
  const message = `${context.alias}: others kept changing the document ${id}. Repeat the change.`;
  return { ok: false, id, error: new Conflict('version_conflict', message) };
}

function mayRepeat(item: Item, outcome: EngineWriteOutcome): boolean {
  return item.kind === 'update' && item.ifVersion === undefined && !outcome.ok && isConflict(outcome.error);
}
