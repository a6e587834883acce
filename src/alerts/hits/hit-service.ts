import type { ClassificationEngine } from '../../classification/classification.ts';
import { type Collection, throwBulkFailure, type Versioned, type Visible } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SearchItem, SortClause } from '../../datastore/port/search.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { mergeDocument } from '../../documents/schema/read-document.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { Forbidden, InvalidInput, isTriadError, NotFound } from '../../errors/errors.ts';
import { mayClassify } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import type { AnalyticUpsert } from '../analytics/analytic-upsert.ts';
import type { CaseStore } from '../cases/case-store.ts';
import { eventEntry, keptHistory, logOperation, newHistory } from './changes/hit-log.ts';
import { rejectUnreadable } from './changes/readable-result.ts';
import {
  assertIncrementsFit,
  checkIncrements,
  type RequestedOperation,
  storeOperations,
  updateExplanation,
} from './changes/update-requests.ts';
import type { HitEvents } from './hit-events.ts';
import type { HitStore } from './hit-store.ts';
import { type NewHit, readNewHit } from './ingest/new-hit.ts';
import { withPauses } from './ingest/raw-record.ts';

export interface HitServiceDependencies {
  hits: Collection<Hit>;
  store: HitStore;
  analytics: Pick<AnalyticUpsert, 'record'>;
  cases: Pick<CaseStore, 'reclassify'>;
  classification: ClassificationEngine;
  events: HitEvents;
  clock: () => Date;
}

/** What became of each of the alerts that were sent. */
export interface ReadHits {
  readonly valid: readonly NewHit[];
  readonly invalid: readonly { readonly input: unknown; readonly error: string }[];
}

export interface ReadHitsOptions {
  /** Fields that do not exist: refused (default), or left out with a warning each. */
  readonly unknown?: 'refuse' | 'warn';
}

/** Alerts. Every method acts as `actor`: what is above their classification does not exist for them. */
export class HitService {
  readonly #dependencies: HitServiceDependencies;

  constructor(dependencies: HitServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Reads alerts as tools send them (contract/alert.md section 3.4) and stores nothing.
   * @param actor who sends them: what they may not see is invalid. Undefined: a dry run of anybody, which does not ask.
   */
  async read(
    actor: Actor | undefined,
    inputs: readonly unknown[],
    { unknown = 'refuse' }: ReadHitsOptions = {},
  ): Promise<ReadHits> {
    const { classification, clock } = this.#dependencies;
    const now = clock();
    const valid: NewHit[] = [];
    const invalid: { input: unknown; error: string }[] = [];
    for await (const input of withPauses(inputs)) {
      try {
        const read = readNewHit(input, { classification, now, unknown });
        if (actor !== undefined) this.#rejectHidden(actor, read.hit);
        valid.push(read);
      } catch (error) {
        if (!isTriadError(error) || error.kind !== 'invalid_input') throw error;
        invalid.push({ input, error: error.message });
      }
    }
    return { valid, invalid };
  }

  /**
   * Stores new alerts, all of them or none, and lets everything follow that follows an arrival.
   * @returns the alerts with their log, and warnings for the sender: the alerts are stored all the same
   * @throws Conflict `already_exists`; Unavailable
   */
  async create(
    actor: Actor,
    hits: readonly Hit[],
    visible: Visible,
  ): Promise<{ readonly hits: readonly Hit[]; readonly warnings: readonly string[] }> {
    if (hits.length === 0) return { hits, warnings: [] };
    const stored = await this.store(actor, hits, visible);
    const warnings = await this.#dependencies.analytics.record(actor.username, stored, visible);
    return { hits: stored, warnings: [...warnings, ...(await this.#dependencies.events.created(actor, stored))] };
  }

  /** Stores new alerts, all of them or none, and nothing else; returns them with their log. */
  async store(actor: Actor, hits: readonly Hit[], visible: Visible): Promise<readonly Hit[]> {
    const now = formatDate(this.#dependencies.clock());
    const context = { username: actor.username, now };
    const stored = hits.map((hit): Hit => {
      const { howler } = hit;
      return { ...hit, howler: { ...howler, ...newHistory(context, howler.comment, 'Created hit') } };
    });
    const results = await this.#dependencies.hits.bulk(
      stored.map((document) => ({ kind: 'save', id: document.howler.id, document, ifVersion: ABSENT })),
      { visible, atomic: true },
    );
    throwBulkFailure(results);
    return stored;
  }

  /** @throws NotFound `hit_missing` */
  get(actor: Actor, id: string): Promise<Versioned<Hit>> {
    return this.#dependencies.store.get(actor, id);
  }

  /** As `get`, as it is stored: for `VersionedAnswers`. */
  getStored(actor: Actor, id: string): Promise<Versioned<Hit>> {
    return this.#dependencies.store.getStored(actor, id);
  }

  /** Those of the alerts that exist for the actor, each once, in the order of `ids`. */
  async getVisible(actor: Actor, ids: readonly string[]): Promise<readonly Hit[]> {
    if (ids.length === 0) return [];
    const found = await this.#dependencies.hits.getMany([...new Set(ids)], actor.readAccess);
    return found.flatMap((hit) => (hit ? [toOutput(hitDocument, hit)] : []));
  }

  /**
   * Puts fields into an alert; lists are appended to the stored ones unless `replaceLists`. Its identifier, log and comments stay.
   * @param partial returns the fields, nested or with dotted keys; called when the alert is known to exist
   * @throws NotFound `hit_missing`; InvalidInput `invalid_document`, `classification_too_high`; the errors of `partial`
   */
  async overwrite(
    actor: Actor,
    id: string,
    partial: () => Readonly<Record<string, unknown>>,
    options: { readonly replaceLists: boolean; readonly visible: Visible },
  ): Promise<Versioned<Hit>> {
    const { classification, store, cases } = this.#dependencies;
    let related: readonly string[] = [];
    const changed = await store.replace(
      actor,
      id,
      (hit) => {
        const { replaceLists } = options;
        related = hit.howler.related;
        const merged = mergeDocument(hitDocument, hit, partial(), { replaceLists, classification });
        if (!mayClassify(actor, classification, merged.classification)) {
          throw new InvalidInput('classification_too_high', `Cannot set classification to ${merged.classification}`, {
            at: 'classification',
          });
        }
        return { ...merged, howler: { ...merged.howler, ...keptHistory(hit) } };
      },
      { visible: options.visible },
    );
    if ('classification' in partial()) {
      const target = { type: 'hit', id, classification: changed.document.classification } as const;
      await cases.reclassify(target, related, options.visible);
    }
    return changed;
  }

  /**
   * Applies operations to one alert and logs them. The status moves only by transitions.
   * @throws NotFound `hit_missing`; InvalidInput `status_not_updatable`, and as `storeOperations`, `checkIncrements`, `rejectUnreadable`
   */
  async update(
    actor: Actor,
    id: string,
    requested: readonly RequestedOperation[],
    visible: Visible,
  ): Promise<Versioned<Hit>> {
    const operations = storeOperations(hitDocument, requested, this.#dependencies.classification);
    if (requested.some(({ key }) => key === 'howler.status')) {
      throw new InvalidInput(
        'status_not_updatable',
        'Status of a Hit cannot be modified like other properties. Please use a transition to do so.',
        { at: 'howler.status' },
      );
    }
    const explanation = updateExplanation('Hit', actor.username, requested);
    return this.#dependencies.store.change(
      actor,
      id,
      ({ hit, version, username, now }) => {
        checkIncrements(hitDocument, hit, operations);
        rejectUnreadable(hitDocument, hit, operations, this.#dependencies.classification);
        const entry = eventEntry({ username, now }, explanation);
        const change = { key: 'howler.log', new_value: 'N/A', previous_value: 'None', type: 'appended' } as const;
        return [...operations, logOperation({ ...entry, ...change, previous_version: version })];
      },
      { visible },
    );
  }

  /**
   * Applies operations to every alert that matches and that the actor may find, each atomically, the whole not. Nobody is told.
   * @returns how many were changed
   * @param query Lucene text
   * @param options `logged` false: the alerts' logs say nothing of it, as clients know it of actions. Default true.
   * @throws InvalidInput as `storeOperations` and `assertIncrementsFit`, and `invalid_query` with the position
   */
  async updateWhere(
    actor: Actor,
    query: string,
    requested: readonly RequestedOperation[],
    { visible, logged = true }: { readonly visible: Visible; readonly logged?: boolean },
  ): Promise<number> {
    const operations = storeOperations(hitDocument, requested, this.#dependencies.classification);
    const now = formatDate(this.#dependencies.clock());
    const entry = eventEntry({ username: actor.username, now }, updateExplanation('Hit', actor.username, requested));
    const selection = { query: compileQuery(query, hitDocument) };
    await assertIncrementsFit(this.#dependencies.hits, selection, operations, actor.searchAccess);
    const { changed } = await this.#dependencies.hits.updateWhere(
      selection,
      logged ? [...operations, logOperation(entry)] : operations,
      { access: actor.searchAccess, visible },
    );
    return changed;
  }

  /**
   * Deletes all of the alerts or none, and takes them out of what others relate to.
   * @throws Forbidden `not_administrator`; NotFound `hit_missing`, naming those that do not exist
   */
  async delete(actor: Actor, ids: readonly string[], visible: Visible): Promise<void> {
    if (!actor.isAdmin) {
      throw new Forbidden('not_administrator', 'Cannot delete hit, only admin is allowed to delete');
    }
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return;
    const { hits, events } = this.#dependencies;
    const found = await hits.getMany(wanted, actor.readAccess);
    const absent = wanted.filter((_, index) => found[index] === undefined);
    if (absent.length > 0) throw new NotFound('hit_missing', `Hit id(s) ${absent.join(', ')} do not exist.`);
    // Somebody else may delete one meanwhile: gone is gone, however often it is asked for.
    const results = await hits.bulk(
      wanted.map((id) => ({ kind: 'delete', id })),
      { visible },
    );
    throwBulkFailure(results, ['document_missing']);
    await hits.updateWhere(
      { query: { kind: 'terms', field: 'howler.related', values: wanted } },
      wanted.map((value): UpdateOperation => ({ op: 'remove', path: 'howler.related', value })),
      { access: unrestricted('a deleted alert is related to nothing, whoever may see the others'), visible },
    );
    await events.deleted(wanted);
  }

  /** Alerts assigned to the actor. Default order: the newest first. */
  async assigned(
    actor: Actor,
    page: { readonly offset: number; readonly rows: number; readonly sort?: readonly SortClause[] | undefined },
  ): Promise<readonly SearchItem<Hit>[]> {
    const query = { kind: 'term', field: 'howler.assignment', value: actor.username } as const;
    const { offset, rows, sort } = page;
    const { items } = await this.#dependencies.hits.search(
      { query, offset, rows, ...(sort ? { sort } : {}) },
      actor.searchAccess,
    );
    return items;
  }

  #rejectHidden(actor: Actor, { classification }: Hit): void {
    if (mayClassify(actor, this.#dependencies.classification, classification)) return;
    throw new InvalidInput(
      'classification_too_high',
      `User ${actor.username} cannot create hits at classification ${classification}`,
      { at: 'classification' },
    );
  }
}
