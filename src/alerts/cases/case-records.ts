import { type Collection, throwBulkFailure, type Visible } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { Event } from '../../documents/kinds/event.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import type { Actor } from '../../identity/actor.ts';
import { type CaseItem, type CaseRecord, isRecordItem, RECORD_TYPES, type RecordType } from './case-items.ts';

export interface CaseRecordsDependencies {
  hits: Collection<Hit>;
  events: Collection<Event>;
  clock: () => Date;
}

const ALL_RECORDS = unrestricted('a case is kept in step with all of its records, for any user who changes it');

/** The alerts and events in cases, each of which lists its cases in `howler.related`. */
export class CaseRecords {
  readonly #collections: Readonly<Record<RecordType, Collection<Hit> | Collection<Event>>>;
  readonly #clock: () => Date;

  constructor({ hits, events, clock }: CaseRecordsDependencies) {
    this.#collections = { hit: hits, event: events };
    this.#clock = clock;
  }

  /** Undefined when there is none that the actor may see. */
  get(actor: Actor, type: RecordType, id: string): Promise<CaseRecord | undefined> {
    return this.#collections[type].get(id, actor.readAccess);
  }

  /** The records that the items stand for; items whose record is gone have none. */
  async of(items: readonly CaseItem[]): Promise<readonly CaseRecord[]> {
    const found = await Promise.all(RECORD_TYPES.map((type) => this.#ofType(type, items)));
    return found.flat();
  }

  /** Writes into the records that they belong to the case. */
  refer(actor: Actor, caseId: string, items: readonly CaseItem[], visible: Visible): Promise<void> {
    const isUnaware = ({ howler }: CaseRecord) => !(howler.related ?? []).includes(caseId);
    return this.#write(actor, items, isUnaware, ['append_missing', caseId, `Added to case ${caseId}`], visible);
  }

  /** Writes into the records that they do not belong to the case any more. */
  unrefer(actor: Actor, caseId: string, items: readonly CaseItem[], visible: Visible): Promise<void> {
    const isAware = ({ howler }: CaseRecord) => (howler.related ?? []).includes(caseId);
    return this.#write(actor, items, isAware, ['remove', caseId, `Removed from case ${caseId}`], visible);
  }

  /** Takes cases that are gone out of all records. */
  async forget(caseIds: readonly string[], visible: Visible): Promise<void> {
    const query = { kind: 'terms', field: 'howler.related', values: caseIds } as const;
    const operations = caseIds.map((value): UpdateOperation => ({ op: 'remove', path: 'howler.related', value }));
    for (const type of RECORD_TYPES) {
      await this.#collections[type].updateWhere({ query }, operations, { access: ALL_RECORDS, visible });
    }
  }

  async #write(
    actor: Actor,
    items: readonly CaseItem[],
    concerned: (record: CaseRecord) => boolean,
    [op, caseId, explanation]: readonly ['append_missing' | 'remove', string, string],
    visible: Visible,
  ): Promise<void> {
    const entry = { timestamp: formatDate(this.#clock()), user: actor.username, explanation };
    const operations: readonly UpdateOperation[] = [
      { op, path: 'howler.related', value: caseId },
      { op: 'append', path: 'howler.log', value: entry },
    ];
    for (const type of RECORD_TYPES) {
      const records = (await this.#ofType(type, items)).filter(concerned);
      if (records.length === 0) continue;
      const results = await this.#collections[type].bulk(
        records.map(({ howler }) => ({ kind: 'update', id: howler.id, operations })),
        { visible },
      );
      // A record that is deleted meanwhile needs no reference.
      throwBulkFailure(results, ['document_missing']);
    }
  }

  async #ofType(type: RecordType, items: readonly CaseItem[]): Promise<readonly CaseRecord[]> {
    const ids = items.filter((item) => isRecordItem(item) && item.type === type).map((item) => item.value);
    if (ids.length === 0) return [];
    const found: readonly (CaseRecord | undefined)[] = await this.#collections[type].getMany(ids, ALL_RECORDS);
    return found.filter((record) => record !== undefined);
  }
}
