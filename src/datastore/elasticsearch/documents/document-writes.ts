import { Conflict, isConflict, isTriadError, NotFound, type TriadError } from '../../../errors/errors.ts';
import type { BulkItem } from '../../port/collection.ts';
import { MAX_ATTEMPTS, pauseAfterConflict } from '../../port/retry-on-conflict.ts';
import { ABSENT, alreadyExists, checkVersion, type Version, versionConflict, versionOf } from '../../port/versions.ts';
import type { IndexContext } from '../collection-context.ts';
import { hasSeveralIndices, placeOf, sendPlaced, targetOf, targetOfVersion } from './document-placement.ts';
import { type FoundDocument, readDocuments } from './document-reading.ts';
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

/**
 * Carries out items of the port, each document by itself; an outcome per item, in order.
 * Items of the same document are carried out one after the other; when the engine gives no answer, those that were
 * not begun have the same outcome: the caller does not wait again for each of them.
 */
export async function applyItems(context: IndexContext, items: readonly BulkItem<unknown>[]): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = [];
  let gone: TriadError | undefined;
  for (const wave of wavesOf(items)) {
    const together = wave.flatMap((at) => items[at] ?? []);
    const results = gone === undefined ? await applyWave(context, together) : allFailed(together, gone);
    gone ??= goneAmong(results);
    for (const [position, at] of wave.entries()) {
      const result = results[position];
      if (result) outcomes[at] = result;
    }
  }
  return outcomes;
}

/** Items of different documents. */
async function applyWave(context: IndexContext, items: readonly BulkItem<unknown>[]): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = [];
  let pending = [...items.keys()];
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    const carried = await carryOut(context, items, pending, outcomes);
    pending = [];
    if (carried === undefined) break;
    const { writes, positions, sent } = carried;
    for (const [position, at] of positions.entries()) {
      const item = items[at];
      const write = writes[position];
      const outcome = sent[position];
      if (!item || !write || !outcome) throw new Error('a write was left out');
      if (mayRepeat(item, outcome) && attempt < MAX_ATTEMPTS) pending.push(at);
      else outcomes[at] = resultOf(context, item, write, outcome);
    }
    if (pending.length > 0) await pauseAfterConflict(attempt);
  }
  return outcomes;
}

/**
 * Plans and sends. What the engine did not let happen is a failure of the items that were left: others
 * may have been carried out before.
 */
async function carryOut(
  context: IndexContext,
  items: readonly BulkItem<unknown>[],
  pending: readonly number[],
  outcomes: ItemOutcome[],
) {
  try {
    const { writes, positions } = await plan(context, items, pending, outcomes);
    return { writes, positions, sent: await sendPlaced(context, writes) };
  } catch (error) {
    if (!isTriadError(error)) throw error;
    for (const at of pending) outcomes[at] ??= { ok: false, id: items[at]?.id ?? '', error };
    return undefined;
  }
}

/** Returns the writes to send, and records the outcomes that need no write in `outcomes`. */
async function plan(
  context: IndexContext,
  items: readonly BulkItem<unknown>[],
  pending: readonly number[],
  outcomes: ItemOutcome[],
): Promise<{ writes: EngineWrite[]; positions: number[] }> {
  const known = await lookUp(context, items, pending);
  const writes: EngineWrite[] = [];
  const positions: number[] = [];
  for (const at of pending) {
    const item = items[at];
    if (!item) continue;
    try {
      const planned = await planItem(context, item, known.get(item.id) ?? NOT_LOOKED);
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
async function lookUp(
  context: IndexContext,
  items: readonly BulkItem<unknown>[],
  pending: readonly number[],
): Promise<ReadonlyMap<string, Known>> {
  const several = await hasSeveralIndices(context);
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
    readDocuments(context, changed),
    readDocuments(context, placed, { source: false }),
  ]);
  const known = new Map<string, Known>();
  for (const [at, id] of changed.entries()) known.set(id, { looked: true, found: documents[at] });
  for (const [at, id] of placed.entries()) known.set(id, { looked: true, found: places[at] });
  return known;
}

async function planItem(
  context: IndexContext,
  item: BulkItem<unknown>,
  known: Known,
): Promise<EngineWrite | WrittenItem> {
  switch (item.kind) {
    case 'save':
      return planSave(context, item, known);
    case 'delete':
      return planDelete(context, item, known);
    case 'update':
      return planUpdate(context, item, known);
  }
}

async function planSave(
  context: IndexContext,
  item: Extract<BulkItem<unknown>, { kind: 'save' }>,
  { found }: Known,
): Promise<EngineWrite> {
  const { id, ifVersion } = item;
  const source = newText(context.alias, id, item.document);
  if (ifVersion === ABSENT) {
    if (found) throw alreadyExists(context.alias, id);
    return { id, action: 'create', index: undefined, source };
  }
  if (ifVersion !== undefined) {
    return { id, action: 'index', source, ...(await targetOfVersion(context, id, ifVersion)) };
  }
  const place = found ? await placeOf(context, found) : { index: undefined };
  return { id, action: 'index', source, ...place };
}

async function planDelete(
  context: IndexContext,
  { id, ifVersion }: Extract<BulkItem<unknown>, { kind: 'delete' }>,
  { looked, found }: Known,
): Promise<EngineWrite | WrittenItem> {
  if (looked && found === undefined) {
    checkVersion(ifVersion, undefined, context.alias, id);
    return { ok: true, id, version: '', index: undefined, existed: false };
  }
  if (ifVersion === ABSENT) throw alreadyExists(context.alias, id);
  if (ifVersion !== undefined) {
    return { id, action: 'delete', ...(await targetOfVersion(context, id, ifVersion)) };
  }
  const place = found ? await placeOf(context, found) : { index: undefined };
  return { id, action: 'delete', ...place };
}

async function planUpdate(
  context: IndexContext,
  { id, operations, ifVersion }: Extract<BulkItem<unknown>, { kind: 'update' }>,
  { found }: Known,
): Promise<EngineWrite | WrittenItem> {
  const { alias } = context;
  checkVersion(ifVersion, found, alias, id);
  if (!found) throw new NotFound('document_missing', `${alias}: there is no document ${id}.`);
  const source = changedText(found, operations);
  if (source === undefined) {
    const unchanged = sourceText(id, found.source);
    return { ok: true, id, version: versionOf(found), index: found.index, existed: true, source: unchanged };
  }
  return { id, action: 'index', source, ...(await targetOf(context, found)) };
}

function resultOf(
  context: IndexContext,
  item: BulkItem<unknown>,
  write: EngineWrite,
  outcome: EngineWriteOutcome,
): ItemOutcome {
  const { id, ifVersion } = item;
  if (outcome.ok) {
    const { index, existed } = outcome;
    const version = item.kind === 'delete' && !existed ? '' : versionOf(outcome);
    return { ok: true, id, version, index, existed, source: item.kind === 'update' ? write.source : undefined };
  }
  if (!isConflict(outcome.error)) return { ok: false, id, error: outcome.error };
  return { ok: false, id, error: conflictOf(context, id, item.kind, ifVersion, outcome) };
}

function conflictOf(
  { alias }: IndexContext,
  id: string,
  kind: BulkItem<unknown>['kind'],
  ifVersion: Version | undefined,
  { error }: Extract<EngineWriteOutcome, { ok: false }>,
): Error {
  if (ifVersion === ABSENT && kind === 'save') return error;
  if (ifVersion !== undefined) return versionConflict(alias, id, ifVersion, null);
  return new Conflict('version_conflict', `${alias}: others kept changing the document ${id}. Repeat the change.`);
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
