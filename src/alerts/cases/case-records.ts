import { type Collection, throwBulkFailure, type Visible } from '../../datastore/port/collection.ts';
import { allOf, MATCH_ALL, type QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { Event } from '../../documents/kinds/event.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import type { Actor } from '../../identity/actor.ts';
import { type CaseItem, type CaseRecord, logEntry, RECORD_TYPES, type RecordType } from './case-items.ts';

const ALL_RECORDS = unrestricted('records are kept in step with what they refer to, for any user who changes it');

/** Options of the writing of back-references. */
interface ReferOptions {
  readonly visible: Visible;
  /** False: without an entry in the logs of the records, as rules do. Default true. */
  readonly logged?: boolean | undefined;
}

/** The alerts and events in cases, each of which lists its cases in `howler.related`. */
export class CaseRecords {
  readonly #collections: Readonly<Record<RecordType, Collection<Hit> | Collection<Event>>>;

  constructor(collections: { readonly hit: Collection<Hit>; readonly event: Collection<Event> }) {
    this.#collections = collections;
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

  /** Writes into records that they belong to the case (`append_missing`), or no longer do (`remove`). */
  async refer(
    actor: Actor,
    caseId: string,
    op: 'append_missing' | 'remove',
    items: readonly Pick<CaseItem, 'type' | 'value'>[],
    { visible, logged = true }: ReferOptions,
  ): Promise<void> {
    const isAdded = op === 'append_missing';
    const entry = logEntry(actor, `${isAdded ? 'Added to' : 'Removed from'} case ${caseId}`);
    const operations: UpdateOperation[] = [{ op, path: 'howler.related', value: caseId }];
    if (logged) operations.push({ op: 'append', path: 'howler.log', value: entry });
    for (const type of RECORD_TYPES) {
      const records = await this.#ofType(type, items);
      const concerned = records.filter(({ howler }) => (howler.related ?? []).includes(caseId) !== isAdded);
      if (concerned.length === 0) continue;
      const updates = concerned.map(({ howler }) => ({ kind: 'update', id: howler.id, operations }) as const);
      const results = await this.#collections[type].bulk(updates, { visible });
      // A record that is deleted meanwhile needs no reference.
      throwBulkFailure(results, ['document_missing']);
    }
  }

  /** Takes cases that are gone out of all records. */
  async forget(caseIds: readonly string[], visible: Visible): Promise<void> {
    for (const type of RECORD_TYPES) await removeRelations(this.#collections[type], caseIds, visible);
  }

  /** Finds records by identifiers alone, as they are stored, regardless of who may see them. */
  async find(ids: readonly string[]): Promise<readonly { readonly type: RecordType; readonly record: CaseRecord }[]> {
    const records: { type: RecordType; record: CaseRecord }[] = [];
    let missing = [...new Set(ids)];
    for (const type of RECORD_TYPES) {
      const found = await this.#get(type, missing);
      for (const record of found) records.push({ type, record });
      const known = new Set(found.map(({ howler }) => howler.id));
      missing = missing.filter((id) => !known.has(id));
    }
    return records;
  }

  async #ofType(type: RecordType, items: readonly Pick<CaseItem, 'type' | 'value'>[]): Promise<readonly CaseRecord[]> {
    return this.#get(
      type,
      items.flatMap((item) => (item.type === type ? [item.value] : [])),
    );
  }

  async #get(type: RecordType, ids: readonly string[]): Promise<readonly CaseRecord[]> {
    if (ids.length === 0) return [];
    const found: readonly (CaseRecord | undefined)[] = await this.#collections[type].getMany(ids, ALL_RECORDS);
    return found.filter((record) => record !== undefined);
  }
}

/** Removes what is gone from the relations of all records, or of `among`, also of hidden ones. */
export async function removeRelations(
  records: Pick<Collection<unknown>, 'updateWhere'>,
  ids: readonly string[],
  visible: Visible,
  among: QueryNode = MATCH_ALL,
): Promise<void> {
  const query = allOf({ kind: 'terms', field: 'howler.related', values: ids }, among);
  const operations = ids.map((value): UpdateOperation => ({ op: 'remove', path: 'howler.related', value }));
  await records.updateWhere({ query }, operations, { access: ALL_RECORDS, visible });
}
