import type { Collection } from '../../datastore/port/collection.ts';
import { allOf, anyOf, type QueryNode } from '../../datastore/port/query-tree.ts';
import type { SearchItem } from '../../datastore/port/search.ts';
import { type Dossier, dossierDocument } from '../../documents/kinds/dossier.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import { mergeDocument, readDocument } from '../../documents/schema/read-document.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { HitMetadata, Metadata } from '../metadata/hit-metadata.ts';
import { rejectBrokenQuery, type SavedQueryEvaluator } from '../saved-query.ts';
import { mayChange } from './ownership-service.ts';
import {
  ALL_MAY_READ,
  checkNewQuery,
  mayDelete,
  notChangeable,
  type SavedObjectKind,
  SavedObjects,
} from './saved-objects.ts';

interface DossierServiceDependencies {
  dossiers: Collection<Dossier>;
  hits: Pick<Collection<Hit>, 'get'>;
  metadata: Pick<HitMetadata, 'dossiersOf'>;
  savedQueries: Pick<SavedQueryEvaluator, 'problemOf'>;
}

const MAX_LISTED = 1000;
/** Owner of dossiers that belong to no user. */
const NO_USER = 'none';
const CHANGEABLE: readonly string[] = ['title', 'query', 'leads', 'pivots', 'type'];
const MAX_GROUPS = 25;

/** Dossiers belong to their creator. Lists hold global ones and those of the actor, by title. */
const dossierKind: SavedObjectKind<Dossier> = {
  definition: dossierDocument,
  list: ({ username }) => ({ query: usableBy(username), rows: MAX_LISTED, access: ALL_MAY_READ }),
  read(actor, input) {
    checkNewQuery(input, 'dossier', (message, options) => new InvalidInput('dossier_incomplete', message, options));
    return readDocument(dossierDocument, { ...input, owner: actor.username }, { unknown: 'drop' }).document;
  },
  checkChange(change) {
    const fixed = Object.keys(change).find((key) => !CHANGEABLE.includes(key));
    if (fixed === undefined) return;
    throw new InvalidInput('dossier_member_fixed', `Only ${CHANGEABLE.join(', ')} can be updated.`, { at: fixed });
  },
  change(actor, dossier, change) {
    if (!mayChange(actor, dossier)) throw new Forbidden('dossier_not_owned', notChangeable('a dossier'));
    rejectBrokenQuery(change.query, 'You must use a valid query when updating a dossier.');
    return mergeDocument(dossierDocument, dossier, change, { replaceLists: true });
  },
  assertDeletable(actor, dossier) {
    const message = 'You cannot delete a dossier unless you are a global administrator or the owner.';
    if (!mayDelete(actor, dossier)) throw new Forbidden('dossier_not_owned', message);
  },
  missing(id, operation) {
    const messages = {
      get: 'Dossier not found',
      update: `Dossier with id '${id}' does not exist.`,
      delete: 'This dossier does not exist',
    };
    return new NotFound('dossier_missing', messages[operation]);
  },
};

/** Leads and pivots that are shown beside the alerts of a query. */
export class DossierService extends SavedObjects<Dossier> {
  readonly #dependencies: DossierServiceDependencies;

  constructor(dependencies: DossierServiceDependencies) {
    super(dependencies.dossiers, dossierKind);
    this.#dependencies = dependencies;
  }

  /** Returns why the query was skipped when alerts were last opened; undefined: it was not. */
  problemOf({ id, document }: Pick<SearchItem<Dossier>, 'id' | 'document'>): string | undefined {
    return this.#dependencies.savedQueries.problemOf({ id, text: document.query });
  }

  /** Returns dossiers of `list` that match the hit; throws `hit_missing`, also for one above the actor. */
  async ofHit(actor: Actor, hitId: string): Promise<readonly Metadata[]> {
    const { hits, metadata } = this.#dependencies;
    const hit = await hits.get(hitId, actor.readAccess);
    if (!hit) throw new NotFound('hit_missing', 'Hit does not exist.');
    return metadata.dossiersOf(actor, hit);
  }

  /** Returns at most 25 folders of pivots by `prefix` in any case, sorted: global, own or ownerless ones. */
  async pivotGroups({ username }: Actor, prefix: string): Promise<readonly string[]> {
    const wanted = prefix.toLowerCase();
    const usable = anyOf(usableBy(username), { kind: 'term', field: 'owner', value: NO_USER });
    const query = allOf(usable, { kind: 'exists', field: 'pivots.group' });
    const found = new Set<string>();
    for await (const { document } of this.collection.stream({ query, fields: ['pivots.group'] }, ALL_MAY_READ)) {
      for (const { group } of document.pivots) {
        if (group?.toLowerCase().startsWith(wanted)) found.add(group);
      }
    }
    return [...found].sort().slice(0, MAX_GROUPS);
  }
}

function usableBy(username: string): QueryNode {
  return anyOf({ kind: 'term', field: 'type', value: 'global' }, { kind: 'term', field: 'owner', value: username });
}
