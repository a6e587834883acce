import type { Versioned, Visible } from '../../datastore/port/collection.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { RequestedOperation } from '../hits/changes/update-requests.ts';
import type { RecordKind, RefusedRecord } from './record-kind.ts';

/** Collections that take in records. */
export const INGEST_INDEXES = ['hit', 'event'] as const;
export type IngestIndex = (typeof INGEST_INDEXES)[number];

export type RecordKinds = Readonly<Record<IngestIndex, RecordKind>>;

/** Records that tools send, change and delete in numbers. Every method acts as `actor`. */
export class IngestService {
  readonly #kinds: RecordKinds;

  constructor(kinds: RecordKinds) {
    this.#kinds = kinds;
  }

  /**
   * Takes in records, all of them or none.
   * @returns their identifiers in order, and warnings for the sender
   * @throws InvalidInput `record_refused`, with the place of the first record that is wrong
   */
  async create(
    actor: Actor,
    index: IngestIndex,
    inputs: readonly unknown[],
    options: { readonly unknown: 'refuse' | 'warn'; readonly visible: Visible },
  ): Promise<{ readonly ids: readonly string[]; readonly warnings: readonly string[] }> {
    const { unknown, visible } = options;
    const read = await this.#kinds[index].read(actor, inputs, { unknown });
    const [first] = read.refused;
    if (first !== undefined) {
      const at = inputs.indexOf(first.input);
      const message = `Ingestion failure on record at index ${at}: ${first.error}`;
      throw new InvalidInput('record_refused', message, { at });
    }
    const { ids, warnings } = await read.store(visible);
    return { ids, warnings: [...read.warnings, ...warnings] };
  }

  /** Which of the records would be refused, for whoever sends them. Nothing is stored. */
  async validate(index: IngestIndex, inputs: readonly unknown[]): Promise<readonly RefusedRecord[]> {
    return (await this.#kinds[index].read(undefined, inputs)).refused;
  }

  /**
   * Puts the fields of `partial` into a record.
   * @throws NotFound `record_missing`; InvalidInput `invalid_document`, `classification_too_high`
   */
  overwrite(
    actor: Actor,
    index: IngestIndex,
    id: string,
    partial: Readonly<Record<string, unknown>>,
    options: { readonly replaceLists: boolean; readonly visible: Visible },
  ): Promise<Versioned<object>> {
    return this.#kinds[index].overwrite(actor, id, partial, options);
  }

  /**
   * Applies operations to every record that matches and that the actor may find.
   * @returns whether every collection had one
   * @throws InvalidInput `invalid_query`, and as `storeOperations`; nothing is changed then
   */
  async updateWhere(
    actor: Actor,
    indexes: readonly IngestIndex[],
    query: string,
    requested: readonly RequestedOperation[],
    visible: Visible,
  ): Promise<boolean> {
    for (const index of indexes) this.#kinds[index].checkUpdate(query, requested);
    let everywhere = true;
    for (const index of indexes) {
      const changed = await this.#kinds[index].updateWhere(actor, query, requested, visible);
      if (changed === 0) everywhere = false;
    }
    return everywhere;
  }

  /**
   * Deletes records, all of them or none, from whichever of the collections they are in, and takes them out of what others relate to.
   * @throws Forbidden `not_administrator`; NotFound `record_missing`, naming those that are in none
   */
  async delete(actor: Actor, indexes: readonly IngestIndex[], ids: readonly string[], visible: Visible): Promise<void> {
    if (!actor.isAdmin) {
      const message = 'Cannot delete hit, only administrators are permitted to delete.';
      throw new Forbidden('not_administrator', message);
    }
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return;
    const found = new Map<IngestIndex, readonly string[]>();
    for (const index of indexes) found.set(index, await this.#kinds[index].find(actor, wanted));
    const present = new Set([...found.values()].flat());
    const missing = wanted.filter((id) => !present.has(id));
    if (missing.length > 0) throw new NotFound('record_missing', `Record ids [${missing.join(',')}] do not exist.`);
    for (const [index, own] of found) if (own.length > 0) await this.#kinds[index].delete(actor, own, visible);
    for (const index of INGEST_INDEXES) await this.#kinds[index].unrelate(wanted, visible);
  }
}
