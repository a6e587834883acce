import type { Visible } from '../../datastore/port/collection.ts';
import type { Event } from '../../documents/kinds/event.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { RequestedOperation } from '../hits/changes/update-requests.ts';
import type { RecordService } from '../hits/record-service.ts';

/** Collections that take in records. */
export const INGEST_INDEXES = ['hit', 'event'] as const;
export type IngestIndex = (typeof INGEST_INDEXES)[number];

export interface IngestServiceDependencies {
  hit: RecordService<Hit>;
  event: RecordService<Event>;
}

/** Records that tools send, change and delete in numbers. No analytic is made of alerts. */
export class IngestService {
  readonly #kinds: IngestServiceDependencies;

  constructor(dependencies: IngestServiceDependencies) {
    this.#kinds = dependencies;
  }

  /** Returns the service of a kind of record. Either takes only records that it has read itself. */
  kind(index: IngestIndex): RecordService<Hit | Event> {
    return this.#kinds[index] as RecordService<Hit | Event>;
  }

  /** Stores all or none; returns identifiers and warnings; throws `record_refused`, `already_exists`. */
  async create(
    actor: Actor,
    index: IngestIndex,
    inputs: readonly unknown[],
    { unknown, visible }: { readonly unknown: 'refuse' | 'warn'; readonly visible: Visible },
  ): Promise<{ readonly ids: readonly string[]; readonly warnings: readonly string[] }> {
    const kind = this.kind(index);
    const { valid, invalid } = await kind.read(actor, inputs, { unknown });
    const [first] = invalid;
    if (first !== undefined) {
      const at = inputs.indexOf(first.input);
      const message = `Ingestion failure on record at index ${at}: ${first.error}`;
      throw new InvalidInput('record_refused', message, { at });
    }
    const records = valid.map(({ record }) => record);
    const stored = await kind.store(actor, records, visible);
    const warnings = [...valid.flatMap((one) => one.warnings), ...(await kind.correlate(stored))];
    return { ids: stored.map(({ howler }) => howler.id), warnings };
  }

  /** Updates matches; returns whether each collection had one; throws as `checkUpdate` before any change. */
  async updateWhere(
    actor: Actor,
    indexes: readonly IngestIndex[],
    query: string,
    requested: readonly RequestedOperation[],
    visible: Visible,
  ): Promise<boolean> {
    for (const index of indexes) this.kind(index).checkUpdate(query, requested);
    let everywhere = true;
    for (const index of indexes) {
      const changed = await this.kind(index).updateWhere(actor, query, requested, { visible });
      if (changed === 0) everywhere = false;
    }
    return everywhere;
  }

  /** Deletes all records or none, and relations to them; throws `not_administrator`, `record_missing`. */
  async delete(actor: Actor, indexes: readonly IngestIndex[], ids: readonly string[], visible: Visible): Promise<void> {
    if (!actor.isAdmin) {
      const message = 'Cannot delete hit, only administrators are permitted to delete.';
      throw new Forbidden('not_administrator', message);
    }
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return;
    const found = new Map<IngestIndex, readonly string[]>();
    for (const index of indexes) found.set(index, await this.kind(index).find(wanted, actor.searchAccess));
    const present = new Set([...found.values()].flat());
    const missing = wanted.filter((id) => !present.has(id));
    if (missing.length > 0) throw new NotFound('record_missing', `Record ids [${missing.join(',')}] do not exist.`);
    for (const [index, own] of found) if (own.length > 0) await this.kind(index).remove(own, visible);
    for (const index of INGEST_INDEXES) await this.kind(index).unrelate(wanted, visible);
  }
}
