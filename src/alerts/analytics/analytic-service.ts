import { changeDocument } from '../../datastore/port/change-document.ts';
import type { Collection, Visible } from '../../datastore/port/collection.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SearchItem } from '../../datastore/port/search.ts';
import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { mergeDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput, NotFound } from '../../errors/errors.ts';
import { type UserStore, userMissing } from '../../identity/user-store.ts';

export interface AnalyticServiceDependencies {
  analytics: Collection<Analytic>;
  users: Pick<UserStore, 'get'>;
}

/** Members of an analytic that people may change; the others follow from the alerts that it makes. */
export interface AnalyticChange {
  readonly description?: unknown;
  readonly triage_settings?: unknown;
}

const ALL_MAY_READ = unrestricted('analytics carry no classification');
const MAX_LISTED = 1000;

/** Detectors, known by the alerts that they made. */
export class AnalyticService {
  readonly #dependencies: AnalyticServiceDependencies;

  constructor(dependencies: AnalyticServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the first 1,000 analytics by name. */
  async list(): Promise<readonly SearchItem<Analytic>[]> {
    const { analytics } = this.#dependencies;
    return (await analytics.search({ query: MATCH_ALL, rows: MAX_LISTED }, ALL_MAY_READ)).items;
  }

  /** @throws NotFound `analytic_missing` with `message` */
  async get(id: string, message = `Analytic ${id} does not exist`): Promise<Analytic> {
    const analytic = await this.#dependencies.analytics.get(id, ALL_MAY_READ);
    if (!analytic) throw new NotFound('analytic_missing', message);
    return analytic;
  }

  /** Changes description and triage settings, no others; throws `analytic_missing`, `invalid_document`. */
  async update(
    id: string,
    { description, triage_settings: settings }: AnalyticChange,
    visible: Visible,
  ): Promise<Analytic> {
    const apply = (analytic: Analytic) => {
      if (settings !== undefined && settings !== null && !isObject(settings)) {
        const at = 'triage_settings';
        throw new InvalidInput('invalid_document', '[analytic.triage_settings]: must be an object', { at });
      }
      const partial = { ...(description === undefined ? {} : { description }), triage_settings: settings ?? {} };
      return mergeDocument(analyticDocument, analytic, partial, { replaceLists: true });
    };
    return this.change(id, apply, { visible, missing: 'This analytic does not exist' });
  }

  /** @throws NotFound `analytic_missing`, `user_missing` */
  async setOwner(id: string, username: string, visible: Visible): Promise<Analytic> {
    await this.get(id);
    if (!(await this.#dependencies.users.get(username))) throw userMissing(username);
    return this.change(id, (analytic) => ({ ...analytic, owner: username }), { visible });
  }

  /** Changes an analytic so that no change by others is lost. @throws NotFound `analytic_missing` */
  async change(
    id: string,
    change: (analytic: Analytic) => Analytic,
    options: { readonly visible?: Visible; readonly missing?: string } = {},
  ): Promise<Analytic> {
    const { visible = 'soon', missing = `Analytic ${id} does not exist` } = options;
    const changed = await changeDocument(this.#dependencies.analytics, id, change, { access: ALL_MAY_READ, visible });
    if (!changed) throw new NotFound('analytic_missing', missing);
    return changed.document;
  }
}
