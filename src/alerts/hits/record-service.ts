import { setImmediate } from 'node:timers/promises';
import type { ClassificationEngine } from '../../classification/classification.ts';
import { changeDocument } from '../../datastore/port/change-document.ts';
import { type Collection, throwBulkFailure, type Versioned, type Visible } from '../../datastore/port/collection.ts';
import type { ReadAccess } from '../../datastore/port/read-access.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { Version } from '../../datastore/port/versions.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import type { Event } from '../../documents/kinds/event.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { mergeDocument } from '../../documents/schema/read-document.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { InvalidInput, isTriadError, NotFound } from '../../errors/errors.ts';
import { mayClassify } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import { removeRelations } from '../cases/case-records.ts';
import type { CaseStore } from '../cases/case-store.ts';
import type { CorrelationQueue } from '../workers/correlation-queue.ts';
import { eventEntry, logOperation } from './changes/hit-log.ts';
import { assertIncrementsFit } from './changes/update-checks.ts';
import { type RequestedOperation, storeOperations, updateExplanation } from './changes/update-requests.ts';
import type { NewRecord, NewRecordOptions } from './new-record.ts';

export interface RecordServiceDependencies<T> {
  definition: DocumentDefinition<T>;
  records: Collection<T>;
  readNew: (input: unknown, options: NewRecordOptions) => NewRecord<T>;
  classification: ClassificationEngine;
  cases: Pick<CaseStore, 'reclassify'>;
  correlation: Pick<CorrelationQueue, 'schedule'>;
  counters: { readonly created: Counter; readonly deleted?: Counter };
  /** Reports a record that was overwritten. Default: no one is told. */
  changed?: (
    id: string,
    event: { readonly hit: T; readonly version: Version; readonly audience?: 'viewers' | undefined },
  ) => Promise<void>;
}

interface Counter {
  inc(count: number): void;
}

/** Alerts or events, as tools send, change and delete them. Those above the actor do not exist. */
export class RecordService<
  T extends Hit | Event,
  Dependencies extends RecordServiceDependencies<T> = RecordServiceDependencies<T>,
> {
  protected readonly dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.dependencies = dependencies;
  }

  /**
   * Reads records as tools send them, valid or invalid (contract/alert.md section 3.4); stores nothing.
   * @param actor sender: records that they may not see are invalid. Undefined: a dry run, which does not check that
   * @param unknown fields that do not exist: refused (default), or left out with a warning each
   */
  async read(
    actor: Actor | undefined,
    inputs: readonly unknown[],
    { unknown }: Pick<NewRecordOptions, 'unknown'> = {},
  ) {
    const { readNew, classification } = this.dependencies;
    const now = new Date();
    const valid: NewRecord<T>[] = [];
    const invalid: { input: unknown; error: string }[] = [];
    for await (const input of withPauses(inputs)) {
      try {
        const read = readNew(input, { classification, now, unknown });
        const marking = read.record.classification;
        if (actor !== undefined && !mayClassify(actor, classification, marking)) {
          // The public system speaks of hits for events, too.
          const message = `User ${actor.username} cannot create hits at classification ${marking}`;
          throw new InvalidInput('classification_too_high', message, { at: 'classification' });
        }
        valid.push(read);
      } catch (error) {
        if (!isTriadError(error) || error.kind !== 'invalid_input') throw error;
        invalid.push({ input, error: error.message });
      }
    }
    return { valid, invalid };
  }

  /** Stores all or none, with a log entry; comments become the actor's own. Throws `already_exists`. */
  async store(actor: Actor, records: readonly T[], visible: Visible): Promise<readonly T[]> {
    if (records.length === 0) return [];
    const { username: user } = actor;
    const timestamp = formatDate(new Date());
    const log = [{ timestamp, user, explanation: `Created ${this.dependencies.definition.name}` }];
    const stored = records.map((record): T => {
      const comment = record.howler.comment.map((one) => ({ ...one, user, reactions: {} }));
      return { ...record, howler: { ...record.howler, log, comment } };
    });
    const documents = stored.map((document) => ({ id: document.howler.id, document }));
    await this.dependencies.records.createAll(documents, visible);
    this.dependencies.counters.created.inc(stored.length);
    return stored;
  }

  /** Queues stored records for the rules of cases. Returns warnings for the sender. */
  correlate(records: readonly T[]): Promise<readonly string[]> {
    return this.dependencies.correlation.schedule(records.map(({ howler }) => howler.id));
  }

  /**
   * Puts fields into a record. Identifier, log and comments stay; lists grow unless `replaceLists`.
   * @param partial returns the fields, nested or with dotted keys; called when the record is known to exist
   * @param audience `viewers`: listeners who look at the record are told. Default: all listeners
   * @param missing returns the error for a record that does not exist. Default: NotFound `record_missing`
   * @throws InvalidInput `invalid_document`, `classification_too_high`; the errors of `partial` and `missing`
   */
  async overwrite(
    actor: Actor,
    id: string,
    partial: () => Readonly<Record<string, unknown>>,
    {
      replaceLists,
      visible,
      audience,
    }: { readonly replaceLists: boolean; readonly visible: Visible; readonly audience?: 'viewers' },
    missing: (id: string) => Error = recordMissing,
  ): Promise<Versioned<T>> {
    const { definition, classification, cases, changed: report } = this.dependencies;
    let related: readonly string[] = [];
    const changed = await changeDocument(
      this.dependencies.records,
      id,
      (stored) => {
        const present = toOutput(definition, stored);
        const { id, log, comment } = present.howler;
        related = present.howler.related;
        const merged = mergeDocument(definition, present, partial(), { replaceLists, classification });
        if (!mayClassify(actor, classification, merged.classification)) {
          const message = `Cannot set classification to ${merged.classification}`;
          throw new InvalidInput('classification_too_high', message, { at: 'classification' });
        }
        return { ...merged, howler: { ...merged.howler, id, log, comment } };
      },
      { access: actor.readAccess, visible },
    );
    if (!changed) throw missing(id);
    const { document, version } = changed;
    await report?.(id, { hit: document, version, audience });
    if ('classification' in partial()) {
      const type = definition.name as 'hit' | 'event';
      await cases.reclassify({ type, id, classification: document.classification }, related, visible);
    }
    return changed;
  }

  /** Rejects an update that `updateWhere` would reject. Errors as `storeOperations`, and `invalid_query`. */
  checkUpdate(query: string, requested: readonly RequestedOperation[]): void {
    compileQuery(query, this.dependencies.definition);
    storeOperations(this.dependencies.definition, requested, this.dependencies.classification);
  }

  /**
   * Applies operations to every record that matches and that the actor may find; returns how many.
   * Each record is changed atomically, all together are not.
   * @param logged false: no entry in the logs, as clients know it of actions. Default true
   * @throws InvalidInput as `checkUpdate` and `assertIncrementsFit`
   */
  async updateWhere(
    actor: Actor,
    query: string,
    requested: readonly RequestedOperation[],
    { visible, logged = true }: { readonly visible: Visible; readonly logged?: boolean },
  ): Promise<number> {
    const { definition } = this.dependencies;
    const operations = storeOperations(definition, requested, this.dependencies.classification);
    const now = formatDate(new Date());
    const entry = eventEntry({ username: actor.username, now }, updateExplanation(actor.username, requested));
    const selection = { query: compileQuery(query, definition) };
    await assertIncrementsFit(this.dependencies.records, selection, operations, actor.searchAccess);
    const applied = logged ? [...operations, logOperation(entry)] : operations;
    const options = { access: actor.searchAccess, visible };
    return (await this.dependencies.records.updateWhere(selection, applied, options)).changed;
  }

  /** Returns operations as they are stored. @throws InvalidInput as `checkUpdate` */
  operationsOf(requested: readonly RequestedOperation[]): readonly UpdateOperation[] {
    return storeOperations(this.dependencies.definition, requested, this.dependencies.classification);
  }

  /**
   * Applies operations to records that the caller has found, without entries in their logs.
   * Deleted ones are ignored.
   * @param updates operations by the identifier of the record
   */
  async updateEach(updates: ReadonlyMap<string, readonly UpdateOperation[]>, visible: Visible): Promise<void> {
    const bulk = Array.from(updates, ([id, operations]) => ({ kind: 'update', id, operations }) as const);
    throwBulkFailure(await this.dependencies.records.bulk(bulk, { visible }), ['document_missing']);
  }

  /** Returns those of the identifiers that have a record within `access`. */
  async find(ids: readonly string[], access: ReadAccess): Promise<readonly string[]> {
    const found = await this.dependencies.records.getMany(ids, access);
    return ids.filter((_, index) => found[index] !== undefined);
  }

  /** Deletes records. Those that another request has deleted are ignored. */
  async remove(ids: readonly string[], visible: Visible): Promise<void> {
    const deletions = ids.map((id) => ({ kind: 'delete', id }) as const);
    const results = await this.dependencies.records.bulk(deletions, { visible });
    throwBulkFailure(results, ['document_missing']);
    this.dependencies.counters.deleted?.inc(ids.length);
  }

  /** Removes deleted records from the relations of all records of this kind, also of hidden ones. */
  unrelate(ids: readonly string[], visible: Visible): Promise<void> {
    return removeRelations(this.dependencies.records, ids, visible);
  }
}

function recordMissing(id: string): NotFound {
  return new NotFound('record_missing', `Record ${id} does not exist`);
}

/** Records that are read before other requests get their turn: about 10 ms. */
const READ_AT_ONCE = 200;

/** Yields the records in order, and lets other requests run in between. */
export async function* withPauses<R>(records: readonly R[]): AsyncGenerator<R, void> {
  for (const [at, record] of records.entries()) {
    if (at > 0 && at % READ_AT_ONCE === 0) await setImmediate();
    yield record;
  }
}
