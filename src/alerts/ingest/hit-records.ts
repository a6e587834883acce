import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection, Versioned, Visible } from '../../datastore/port/collection.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import { isTriadError, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { type RequestedOperation, storeOperations } from '../hits/changes/update-requests.ts';
import type { HitEvents } from '../hits/hit-events.ts';
import type { HitService } from '../hits/hit-service.ts';
import type { ReadRecords, RecordKind } from './record-kind.ts';
import { unrelateRecords } from './related-records.ts';

export interface HitRecordsDependencies {
  service: Pick<HitService, 'read' | 'store' | 'overwrite' | 'updateWhere' | 'delete'>;
  hits: Collection<Hit>;
  events: Pick<HitEvents, 'ingested'>;
  classification: ClassificationEngine;
}

/** Alerts taken in as plain records: no analytic is made of them, and no action triggered. */
export class HitRecords implements RecordKind {
  readonly #dependencies: HitRecordsDependencies;

  constructor(dependencies: HitRecordsDependencies) {
    this.#dependencies = dependencies;
  }

  async read(
    actor: Actor | undefined,
    inputs: readonly unknown[],
    options: { readonly unknown?: 'refuse' | 'warn' } = {},
  ): Promise<ReadRecords> {
    const { valid, invalid } = await this.#dependencies.service.read(actor, inputs, options);
    const hits = valid.map(({ hit }) => hit);
    return {
      refused: invalid,
      warnings: valid.flatMap(({ warnings }) => warnings),
      store: (visible) => this.#store(actor, hits, visible),
    };
  }

  async overwrite(
    actor: Actor,
    id: string,
    partial: Readonly<Record<string, unknown>>,
    options: { readonly replaceLists: boolean; readonly visible: Visible },
  ): Promise<Versioned<Hit>> {
    try {
      return await this.#dependencies.service.overwrite(actor, id, () => partial, options);
    } catch (error) {
      if (!isTriadError(error) || error.code !== 'hit_missing') throw error;
      throw new NotFound('record_missing', `Record ${id} does not exist`, { cause: error });
    }
  }

  checkUpdate(query: string, requested: readonly RequestedOperation[]): void {
    compileQuery(query, hitDocument);
    storeOperations(hitDocument, requested, this.#dependencies.classification);
  }

  updateWhere(
    actor: Actor,
    query: string,
    requested: readonly RequestedOperation[],
    visible: Visible,
  ): Promise<number> {
    return this.#dependencies.service.updateWhere(actor, query, requested, { visible });
  }

  async find(actor: Actor, ids: readonly string[]): Promise<readonly string[]> {
    const found = await this.#dependencies.hits.getMany(ids, actor.searchAccess);
    return ids.filter((_, index) => found[index] !== undefined);
  }

  delete(actor: Actor, ids: readonly string[], visible: Visible): Promise<void> {
    return this.#dependencies.service.delete(actor, ids, visible);
  }

  unrelate(ids: readonly string[], visible: Visible): Promise<void> {
    return unrelateRecords(this.#dependencies.hits, ids, visible);
  }

  async #store(
    actor: Actor | undefined,
    hits: readonly Hit[],
    visible: Visible,
  ): Promise<{ readonly ids: readonly string[]; readonly warnings: readonly string[] }> {
    if (actor === undefined) throw new Error('what nobody sent cannot be stored');
    if (hits.length === 0) return { ids: [], warnings: [] };
    const { service, events } = this.#dependencies;
    const stored = await service.store(actor, hits, visible);
    return { ids: stored.map((hit) => hit.howler.id), warnings: await events.ingested(stored) };
  }
}
