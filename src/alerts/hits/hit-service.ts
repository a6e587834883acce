import type { Versioned, Visible } from '../../datastore/port/collection.ts';
import type { SearchItem, SortClause } from '../../datastore/port/search.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { AnalyticUpsert } from '../analytics/analytic-upsert.ts';
import type { TriggerQueue } from '../workers/trigger-queue.ts';
import { eventEntry, logOperation } from './changes/hit-log.ts';
import { rejectUnreadable } from './changes/update-checks.ts';
import { type RequestedOperation, storeOperations, updateExplanation } from './changes/update-requests.ts';
import type { HitStore } from './hit-store.ts';
import { RecordService, type RecordServiceDependencies } from './record-service.ts';

export interface HitServiceDependencies extends RecordServiceDependencies<Hit> {
  store: HitStore;
  analytics: AnalyticUpsert;
  triggers: Pick<TriggerQueue, 'fire'>;
}

/** Alerts as people and their tools see them: with analytics, and with updates of a single one. */
export class HitService extends RecordService<Hit, HitServiceDependencies> {
  /**
   * Stores all alerts or none, updates analytics and returns warnings; throws `already_exists`.
   * @param arriving those of the alerts that fire `create` and that the rules of cases are for. Default: none
   */
  async create(actor: Actor, hits: readonly Hit[], visible: Visible, arriving: readonly Hit[] = []) {
    const { analytics, triggers } = this.dependencies;
    const stored = await this.store(actor, hits, visible);
    await triggers.fire('create', actor, arriving, undefined);
    const warnings = await this.correlate(arriving);
    return { hits: stored, warnings: [...warnings, ...(await analytics.record(actor.username, stored, visible))] };
  }

  /** Returns those of the alerts that exist for the actor, each once, in the order of `ids`. */
  async getVisible(actor: Actor, ids: readonly string[]): Promise<readonly Hit[]> {
    if (ids.length === 0) return [];
    const found = await this.dependencies.records.getMany([...new Set(ids)], actor.readAccess);
    return found.flatMap((hit) => (hit ? [toOutput(hitDocument, hit)] : []));
  }

  /** Updates and logs an alert; throws as `storeOperations`, `rejectUnreadable`, `status_not_updatable`. */
  async update(
    actor: Actor,
    id: string,
    requested: readonly RequestedOperation[],
    visible: Visible,
  ): Promise<Versioned<Hit>> {
    const operations = storeOperations(hitDocument, requested, this.dependencies.classification);
    if (requested.some(({ key }) => key === 'howler.status')) {
      const message = 'Status of a Hit cannot be modified like other properties. Please use a transition to do so.';
      throw new InvalidInput('status_not_updatable', message, { at: 'howler.status' });
    }
    return this.dependencies.store.change(actor, id, { visible }, (context) => {
      const { hit, version } = context;
      rejectUnreadable(hitDocument, hit, operations, this.dependencies.classification);
      const entry = eventEntry(context, updateExplanation(actor.username, requested));
      const change = { key: 'howler.log', new_value: 'N/A', previous_value: 'None', type: 'appended' } as const;
      return [...operations, logOperation({ ...entry, ...change, previous_version: version })];
    });
  }

  /** Deletes all alerts or none, and relations to them; throws `not_administrator`, `hit_missing`. */
  async delete(actor: Actor, ids: readonly string[], visible: Visible): Promise<void> {
    if (!actor.isAdmin) {
      throw new Forbidden('not_administrator', 'Cannot delete hit, only admin is allowed to delete');
    }
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return;
    const found = await this.find(wanted, actor.readAccess);
    const absent = wanted.filter((id) => !found.includes(id));
    if (absent.length > 0) throw new NotFound('hit_missing', `Hit id(s) ${absent.join(', ')} do not exist.`);
    await this.remove(wanted, visible);
    await this.unrelate(wanted, visible);
  }

  /** Returns alerts assigned to the actor. Default order: the newest first. */
  async assigned(
    actor: Actor,
    page: { readonly offset: number; readonly rows: number; readonly sort?: readonly SortClause[] | undefined },
  ): Promise<readonly SearchItem<Hit>[]> {
    const query = { kind: 'term', field: 'howler.assignment', value: actor.username } as const;
    const { offset, rows, sort } = page;
    const request = { query, offset, rows, ...(sort ? { sort } : {}) };
    return (await this.dependencies.records.search(request, actor.searchAccess)).items;
  }
}
