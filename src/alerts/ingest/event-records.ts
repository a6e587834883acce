import type { ClassificationEngine } from '../../classification/classification.ts';
import { changeDocument } from '../../datastore/port/change-document.ts';
import { type Collection, throwBulkFailure, type Versioned, type Visible } from '../../datastore/port/collection.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type Event, eventDocument } from '../../documents/kinds/event.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { mergeDocument } from '../../documents/schema/read-document.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { InvalidInput, isTriadError, NotFound } from '../../errors/errors.ts';
import { mayClassify } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import type { CaseStore } from '../cases/case-store.ts';
import type { CorrelationScheduler } from '../cases/correlation-scheduler.ts';
import { eventEntry, keptHistory, logOperation, newHistory } from '../hits/changes/hit-log.ts';
import {
  assertIncrementsFit,
  type RequestedOperation,
  storeOperations,
  updateExplanation,
} from '../hits/changes/update-requests.ts';
import { withPauses } from '../hits/ingest/raw-record.ts';
import { type NewEvent, readNewEvent } from './new-event.ts';
import type { ReadRecords, RecordKind, RefusedRecord } from './record-kind.ts';
import { unrelateRecords } from './related-records.ts';

export interface EventRecordsDependencies {
  events: Collection<Event>;
  correlation: Pick<CorrelationScheduler, 'arrived'>;
  cases: Pick<CaseStore, 'reclassify'>;
  classification: ClassificationEngine;
  counters: { created(count: number): void };
  clock: () => Date;
}

/** Events: raw observations, which nobody triages. */
export class EventRecords implements RecordKind {
  readonly #dependencies: EventRecordsDependencies;

  constructor(dependencies: EventRecordsDependencies) {
    this.#dependencies = dependencies;
  }

  async read(
    actor: Actor | undefined,
    inputs: readonly unknown[],
    { unknown = 'refuse' }: { readonly unknown?: 'refuse' | 'warn' } = {},
  ): Promise<ReadRecords> {
    const { classification, clock } = this.#dependencies;
    const now = clock();
    const valid: NewEvent[] = [];
    const refused: RefusedRecord[] = [];
    for await (const input of withPauses(inputs)) {
      try {
        const read = readNewEvent(input, { classification, now, unknown });
        if (actor !== undefined) this.#rejectHidden(actor, read.event);
        valid.push(read);
      } catch (error) {
        if (!isTriadError(error) || error.kind !== 'invalid_input') throw error;
        refused.push({ input, error: error.message });
      }
    }
    const events = valid.map(({ event }) => event);
    return {
      refused,
      warnings: valid.flatMap(({ warnings }) => warnings),
      store: (visible) => this.#store(actor, events, visible),
    };
  }

  async overwrite(
    actor: Actor,
    id: string,
    partial: Readonly<Record<string, unknown>>,
    { replaceLists, visible }: { readonly replaceLists: boolean; readonly visible: Visible },
  ): Promise<Versioned<Event>> {
    const { events, classification, cases } = this.#dependencies;
    let related: readonly string[] = [];
    const changed = await changeDocument(
      events,
      id,
      (stored) => {
        const present = toOutput(eventDocument, stored);
        related = present.howler.related;
        const merged = mergeDocument(eventDocument, present, partial, { replaceLists, classification });
        if (!mayClassify(actor, classification, merged.classification)) {
          throw new InvalidInput('classification_too_high', `Cannot set classification to ${merged.classification}`, {
            at: 'classification',
          });
        }
        return { ...merged, howler: { ...merged.howler, ...keptHistory(present) } };
      },
      { access: actor.readAccess, visible },
    );
    if (!changed) throw new NotFound('record_missing', `Record ${id} does not exist`);
    if ('classification' in partial) {
      const target = { type: 'event', id, classification: changed.document.classification } as const;
      await cases.reclassify(target, related, visible);
    }
    return { document: toOutput(eventDocument, changed.document), version: changed.version };
  }

  checkUpdate(query: string, requested: readonly RequestedOperation[]): void {
    compileQuery(query, eventDocument);
    storeOperations(eventDocument, requested, this.#dependencies.classification);
  }

  async updateWhere(
    actor: Actor,
    query: string,
    requested: readonly RequestedOperation[],
    visible: Visible,
  ): Promise<number> {
    const { events, classification, clock } = this.#dependencies;
    const operations = storeOperations(eventDocument, requested, classification);
    // Clients of the public system know the entry by these words, whatever the kind of record.
    const explanation = updateExplanation('Hit', actor.username, requested);
    const entry = eventEntry({ username: actor.username, now: formatDate(clock()) }, explanation);
    const selection = { query: compileQuery(query, eventDocument) };
    await assertIncrementsFit(events, selection, operations, actor.searchAccess);
    const { changed } = await events.updateWhere(selection, [...operations, logOperation(entry)], {
      access: actor.searchAccess,
      visible,
    });
    return changed;
  }

  async find(actor: Actor, ids: readonly string[]): Promise<readonly string[]> {
    const found = await this.#dependencies.events.getMany(ids, actor.searchAccess);
    return ids.filter((_, index) => found[index] !== undefined);
  }

  async delete(_actor: Actor, ids: readonly string[], visible: Visible): Promise<void> {
    const results = await this.#dependencies.events.bulk(
      ids.map((id) => ({ kind: 'delete', id })),
      { visible },
    );
    throwBulkFailure(results, ['document_missing']);
  }

  unrelate(ids: readonly string[], visible: Visible): Promise<void> {
    return unrelateRecords(this.#dependencies.events, ids, visible);
  }

  async #store(
    actor: Actor | undefined,
    events: readonly Event[],
    visible: Visible,
  ): Promise<{ readonly ids: readonly string[]; readonly warnings: readonly string[] }> {
    if (actor === undefined) throw new Error('what nobody sent cannot be stored');
    const { correlation, counters, clock } = this.#dependencies;
    if (events.length === 0) return { ids: [], warnings: [] };
    const context = { username: actor.username, now: formatDate(clock()) };
    const results = await this.#dependencies.events.bulk(
      events.map((event) => {
        const { howler } = event;
        const history = newHistory(context, howler.comment, 'Created event');
        const document: Event = { ...event, howler: { ...howler, ...history } };
        return { kind: 'save', id: event.howler.id, document, ifVersion: ABSENT };
      }),
      { visible, atomic: true },
    );
    throwBulkFailure(results);
    counters.created(events.length);
    const ids = events.map((event) => event.howler.id);
    return { ids, warnings: await correlation.arrived(ids) };
  }

  /** The text speaks of hits, as the public system's does for every kind of record. */
  #rejectHidden(actor: Actor, { classification }: Event): void {
    if (mayClassify(actor, this.#dependencies.classification, classification)) return;
    throw new InvalidInput(
      'classification_too_high',
      `User ${actor.username} cannot create hits at classification ${classification}`,
      { at: 'classification' },
    );
  }
}
