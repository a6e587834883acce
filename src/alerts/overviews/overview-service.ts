import { changeDocument } from '../../datastore/port/change-document.ts';
import type { Collection, Visible } from '../../datastore/port/collection.ts';
import { allOf, equalsOrMissing, MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SearchItem } from '../../datastore/port/search.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { type Overview, overviewDocument } from '../../documents/kinds/overview.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { Conflict, Forbidden, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { mayRepeat } from '../templates/template-service.ts';

export interface OverviewServiceDependencies {
  overviews: Collection<Overview>;
}

const ALL_MAY_READ = unrestricted('overviews carry no classification and belong to everybody who reads');
const MAX_LISTED = 10_000;

/** How the alerts of an analytic are summed up in prose. Every method acts as `actor`. */
export class OverviewService {
  readonly #overviews: Collection<Overview>;

  constructor(dependencies: OverviewServiceDependencies) {
    this.#overviews = dependencies.overviews;
  }

  async list(): Promise<readonly SearchItem<Overview>[]> {
    return (await this.#overviews.search({ query: MATCH_ALL, rows: MAX_LISTED }, ALL_MAY_READ)).items;
  }

  /**
   * Creates an overview of the actor.
   * @throws InvalidInput `invalid_document` with the path; Conflict `overview_exists`, when the analytic has one for
   * the same detection, or for all of them
   */
  async create(actor: Actor, input: Readonly<Record<string, unknown>>, visible: Visible): Promise<Overview> {
    const { overview_id: _ignored, ...rest } = input;
    const owned = { ...rest, owner: actor.username };
    const { document: overview } = readDocument(overviewDocument, owned, { unknown: 'drop' });
    await this.#rejectTaken(overview);
    await this.#overviews.save(overview.overview_id, overview, { ifVersion: ABSENT, visible });
    return overview;
  }

  /** Replaces the text; anybody may. @throws NotFound `overview_missing` */
  async replaceContent(id: string, content: string, visible: Visible): Promise<Overview> {
    const change = (overview: Overview): Overview => ({ ...overview, content });
    const changed = await changeDocument(this.#overviews, id, change, { access: ALL_MAY_READ, visible });
    if (!changed) throw overviewMissing();
    return changed.document;
  }

  /** Owners delete their own, administrators any. @throws NotFound `overview_missing`; Forbidden `overview_not_owned` */
  async delete(actor: Actor, id: string, visible: Visible): Promise<void> {
    const overview = await this.#overviews.get(id, ALL_MAY_READ);
    if (!overview) throw overviewMissing();
    if (overview.owner !== actor.username && !actor.isAdmin) {
      throw new Forbidden('overview_not_owned', 'You cannot delete an overview that is not owned by you.');
    }
    await this.#overviews.delete(id, { visible });
  }

  async #rejectTaken({ analytic, detection }: Overview): Promise<void> {
    if (mayRepeat(analytic, detection)) return;
    const same = allOf({ kind: 'term', field: 'analytic', value: analytic }, equalsOrMissing('detection', detection));
    if ((await this.#overviews.count({ query: same }, ALL_MAY_READ)) > 0) {
      throw new Conflict('overview_exists', 'An overview covering this case already exists.');
    }
  }
}

function overviewMissing(): NotFound {
  return new NotFound('overview_missing', 'This overview does not exist');
}
