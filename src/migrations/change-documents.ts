import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkItem, Collection, Visible } from '../datastore/port/collection.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import type { Selection } from '../datastore/port/search.ts';
import type { UpdateOperation } from '../datastore/port/update-operations.ts';
import { Conflict, isTriadError, Unavailable } from '../errors/errors.ts';
import type { MigrationContext } from './migration.ts';

/** Documents that are looked at before the migration can be interrupted again. */
const BATCH = 500;
/** Documents that are read at the same time. */
const READ_AT_ONCE = 25;
const ATTEMPTS = 10;
const ACCESS = unrestricted('a migration changes documents of every classification');

export interface DocumentChange<T> {
  readonly collection: Collection<T>;
  readonly selection: Selection;
  /** Returns the operations for a document, if any. Called again after a concurrent change. */
  readonly change: (document: T, id: string) => readonly UpdateOperation[] | undefined;
}

/**
 * Changes the selected documents in batches and answers with their number: for what no query can tell
 * and no list of operations can say of all of them (otherwise `updateWhere` is faster). Each is changed on the version
 * that the decision was made on: what others write meanwhile is never overwritten. Ends between two batches when the
 * context's signal aborts.
 * @throws Conflict `migration_document_busy`; Unavailable `migration_write_failed`; `signal.reason`
 */
export async function changeDocuments<T>(
  { collection, selection, change }: DocumentChange<T>,
  { progress, warn, signal }: Pick<MigrationContext, 'progress' | 'warn' | 'signal'>,
): Promise<number> {
  const total = await whenSearchable(() => collection.count(selection, ACCESS), { warn, signal });
  let done = 0;
  let changed = 0;
  let ids: string[] = [];
  const finishBatch = async (visible: Visible) => {
    changed += await changeAll(collection, ids, change, visible);
    ids = [];
    progress(done, Math.max(done, total));
  };
  progress(0, total);
  for await (const { id, document } of collection.stream(selection, ACCESS)) {
    done += 1;
    if (change(document, id) !== undefined) ids.push(id);
    if (done % BATCH !== 0) continue;
    await finishBatch('soon');
    signal.throwIfAborted();
  }
  await finishBatch('now');
  return changed;
}

/** The number of those that were changed. */
async function changeAll<T>(
  collection: Collection<T>,
  ids: readonly string[],
  change: DocumentChange<T>['change'],
  visible: Visible,
): Promise<number> {
  let changed = 0;
  let left = ids;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const items = await decideAgain(collection, left, change);
    if (items.length === 0) return changed;
    const results = await collection.bulk(items, { visible });
    const again: string[] = [];
    for (const result of results) {
      if (result.ok) changed += 1;
      else if (CHANGED_MEANWHILE.has(result.code)) again.push(result.id);
      else throw refused(collection, result);
    }
    left = again;
  }
  if (left.length === 0) return changed;
  throw new Conflict(
    'migration_document_busy',
    `Documents of ${collection.definition.name} were written by others each of ${ATTEMPTS} times that they were to be changed: ${left.slice(0, 5).join(', ')}. Stop what writes them, and run the migration again.`,
  );
}

/** On the present versions: a changed or deleted document may need nothing any more. */
async function decideAgain<T>(
  collection: Collection<T>,
  ids: readonly string[],
  change: DocumentChange<T>['change'],
): Promise<BulkItem<T>[]> {
  const items: BulkItem<T>[] = [];
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const read = ids.slice(at, at + READ_AT_ONCE).map(async (id): Promise<BulkItem<T>[]> => {
      const found = await collection.getVersioned(id, ACCESS);
      const operations = found && change(found.document, id);
      return found && operations ? [{ kind: 'update', id, operations, ifVersion: found.version }] : [];
    });
    items.push(...(await Promise.all(read)).flat());
  }
  return items;
}

const CHANGED_MEANWHILE: ReadonlySet<string> = new Set(['version_conflict', 'document_missing']);

function refused<T>(
  { definition }: Collection<T>,
  { id, code, message }: { readonly id: string; readonly code: string; readonly message: string },
): Unavailable {
  return new Unavailable(
    'migration_write_failed',
    `The document ${id} of ${definition.name} could not be changed (${code}): ${message} What was changed before stays changed; run the migration again when the reason is gone.`,
  );
}

/** Milliseconds between two attempts. */
const INTERVAL = 500;
/** Codes of searches that fail while columns are built. */
const STILL_MADE: ReadonlySet<string> = new Set(['columns_rebuilding', 'search_timeout']);

/**
 * The answer to a search, as soon as there can be one: the embedded engine may first have to make its
 * search columns from the documents, which ends by itself. @throws `signal.reason`
 */
export async function whenSearchable<Answer>(
  search: () => Promise<Answer>,
  { warn, signal }: Pick<MigrationContext, 'warn' | 'signal'>,
): Promise<Answer> {
  for (let told = false; ; told = true) {
    signal.throwIfAborted();
    try {
      return await search();
    } catch (error) {
      if (!isTriadError(error) || !STILL_MADE.has(error.code)) throw error;
      if (!told) warn(`Waiting until documents can be searched: ${error.message}`);
    }
    await sleep(INTERVAL, undefined, { signal }).catch(() => undefined);
  }
}
