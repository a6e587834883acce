import { changeDocument } from '../../datastore/port/change-document.ts';
import type { Collection, Visible } from '../../datastore/port/collection.ts';
import { allOf, anyOf, type QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SearchItem } from '../../datastore/port/search.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { type Dossier, dossierDocument } from '../../documents/kinds/dossier.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import { mergeDocument, readDocument } from '../../documents/schema/read-document.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { HitMetadata, Metadata } from '../metadata/hit-metadata.ts';
import { mayChange } from '../ownership/ownership-service.ts';
import { rejectBrokenQuery, type SavedQueryEvaluator } from '../saved-query.ts';

export interface DossierServiceDependencies {
  dossiers: Collection<Dossier>;
  hits: Pick<Collection<Hit>, 'get'>;
  metadata: Pick<HitMetadata, 'dossiersOf'>;
  savedQueries: Pick<SavedQueryEvaluator, 'problemOf'>;
}

const ALL_MAY_READ = unrestricted('dossiers carry no classification; whose they are is asked for by every method');
const MAX_LISTED = 1000;
/** Owner of dossiers that belong to nobody. */
const NOBODY = 'none';
const CHANGEABLE: readonly string[] = ['title', 'query', 'leads', 'pivots', 'type'];
const MAX_GROUPS = 25;

/** Leads and pivots that are shown beside the alerts of a query. Every method acts as `actor`. */
export class DossierService {
  readonly #dossiers: Collection<Dossier>;
  readonly #hits: DossierServiceDependencies['hits'];
  readonly #metadata: DossierServiceDependencies['metadata'];
  readonly #savedQueries: DossierServiceDependencies['savedQueries'];

  constructor(dependencies: DossierServiceDependencies) {
    this.#dossiers = dependencies.dossiers;
    this.#hits = dependencies.hits;
    this.#metadata = dependencies.metadata;
    this.#savedQueries = dependencies.savedQueries;
  }

  /** Global dossiers and the actor's own, by title. */
  async list({ username }: Actor): Promise<readonly SearchItem<Dossier>[]> {
    return (await this.#dossiers.search({ query: usableBy(username), rows: MAX_LISTED }, ALL_MAY_READ)).items;
  }

  /** @throws NotFound `dossier_missing`, also for a dossier that the actor may not see */
  async get({ readAccess }: Actor, id: string): Promise<SearchItem<Dossier>> {
    const document = await this.#dossiers.get(id, readAccess);
    if (!document) throw new NotFound('dossier_missing', 'Dossier not found');
    return { id, collection: this.#dossiers.definition.name, document };
  }

  /** Returns why the dossier was not looked for when alerts were last opened; undefined: it was. */
  problemOf({ id, document }: SearchItem<Dossier>): string | undefined {
    return this.#savedQueries.problemOf({ id, text: document.query });
  }

  /** Dossiers of `list` whose query matches the hit. @throws NotFound `hit_missing`, also for a hit that the actor may not see */
  async ofHit(actor: Actor, hitId: string): Promise<readonly Metadata[]> {
    const hit = await this.#hits.get(hitId, actor.readAccess);
    if (!hit) throw new NotFound('hit_missing', 'Hit does not exist.');
    return this.#metadata.dossiersOf(actor, hit);
  }

  /**
   * Folders of pivots that begin with `prefix`, without regard to case: at most 25, sorted, of dossiers that are global, the
   * actor's own or nobody's.
   */
  async pivotGroups({ username }: Actor, prefix: string): Promise<readonly string[]> {
    const wanted = prefix.toLowerCase();
    const usable = anyOf(usableBy(username), { kind: 'term', field: 'owner', value: NOBODY });
    const found = new Set<string>();
    const withGroups = allOf(usable, { kind: 'exists', field: 'pivots.group' });
    for await (const { document } of this.#dossiers.stream(
      { query: withGroups, fields: ['pivots.group'] },
      ALL_MAY_READ,
    )) {
      for (const { group } of document.pivots) {
        if (group?.toLowerCase().startsWith(wanted)) found.add(group);
      }
    }
    return [...found].sort().slice(0, MAX_GROUPS);
  }

  /**
   * Creates a dossier of the actor.
   * @throws InvalidInput `dossier_incomplete`, `invalid_query` with the position, `query_too_complex`, `invalid_document` with
   *   the path
   */
  async create(actor: Actor, input: Readonly<Record<string, unknown>>, visible: Visible): Promise<Dossier> {
    for (const key of ['title', 'query', 'type']) {
      if (!(key in input)) {
        throw new InvalidInput('dossier_incomplete', `You must specify a ${key} when creating a dossier.`, { at: key });
      }
    }
    rejectBrokenQuery(input.query, 'You must use a valid query when creating a dossier.');
    const { dossier_id: _ignored, ...rest } = input;
    const owned = { ...rest, owner: actor.username };
    const { document: dossier } = readDocument(dossierDocument, owned, { unknown: 'drop' });
    await this.#dossiers.save(dossier.dossier_id, dossier, { ifVersion: ABSENT, visible });
    return dossier;
  }

  /**
   * Changes a dossier, member by member; lists are replaced.
   * @throws InvalidInput `dossier_member_fixed`, `invalid_query` with the position, `query_too_complex`, `invalid_document` with the
   *   path; NotFound `dossier_missing`; Forbidden `dossier_not_owned`
   */
  async update(
    actor: Actor,
    id: string,
    change: Readonly<Record<string, unknown>>,
    visible: Visible,
  ): Promise<Dossier> {
    const fixed = Object.keys(change).find((key) => !CHANGEABLE.includes(key));
    if (fixed !== undefined) {
      const message = `Only ${CHANGEABLE.join(', ')} can be updated.`;
      throw new InvalidInput('dossier_member_fixed', message, { at: fixed });
    }
    const changed = await changeDocument(
      this.#dossiers,
      id,
      (dossier) => {
        if (!mayChange(actor, dossier)) {
          throw new Forbidden(
            'dossier_not_owned',
            'You cannot update a dossier that is not owned by you, or you are not an administrator of.',
          );
        }
        rejectBrokenQuery(change.query, 'You must use a valid query when updating a dossier.');
        return mergeDocument(dossierDocument, dossier, change, { replaceLists: true });
      },
      { access: ALL_MAY_READ, visible },
    );
    if (!changed) throw new NotFound('dossier_missing', `Dossier with id '${id}' does not exist.`);
    return changed.document;
  }

  /** Owners delete their own, administrators any. @throws NotFound `dossier_missing`; Forbidden `dossier_not_owned` */
  async delete(actor: Actor, id: string, visible: Visible): Promise<void> {
    const dossier = await this.#dossiers.get(id, ALL_MAY_READ);
    if (!dossier) throw new NotFound('dossier_missing', 'This dossier does not exist');
    if (dossier.owner !== actor.username && !actor.isAdmin) {
      const message = 'You cannot delete a dossier unless you are a global administrator or the owner.';
      throw new Forbidden('dossier_not_owned', message);
    }
    await this.#dossiers.delete(id, { visible });
  }
}

function usableBy(username: string): QueryNode {
  return anyOf({ kind: 'term', field: 'type', value: 'global' }, { kind: 'term', field: 'owner', value: username });
}
