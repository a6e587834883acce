import { inTurn } from '../../datastore/port/change-document.ts';
import type { Collection, Versioned, Visible } from '../../datastore/port/collection.ts';
import { isVersionConflict, retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { Version } from '../../datastore/port/versions.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { Conflict, isTriadError, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { ChangeContext } from './changes/hit-log.ts';
import type { HitEvents } from './hit-events.ts';

export interface ChangeOptions {
  /** Version that the caller wants to change (contract/alert.md section 1.4). Default: the present one. */
  readonly ifMatch?: Version | undefined;
  readonly visible?: Visible;
}

export interface HitStoreDependencies {
  hits: Collection<Hit>;
  events: HitEvents;
  clock: () => Date;
}

/**
 * Reading and changing one alert as an actor may: what is above their classification does not exist for them. Alerts come out as
 * routes answer them: complete, without what is hidden.
 */
export class HitStore {
  readonly #dependencies: HitStoreDependencies;

  constructor(dependencies: HitStoreDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws NotFound `hit_missing` */
  async get(actor: Actor, id: string): Promise<Versioned<Hit>> {
    return shown(await this.getStored(actor, id));
  }

  /** As it is stored. @throws NotFound `hit_missing` */
  async getStored(actor: Actor, id: string): Promise<Versioned<Hit>> {
    const found = await this.#dependencies.hits.getVersioned(id, actor.readAccess);
    if (!found) throw missing(id);
    return found;
  }

  /**
   * Changes an alert by the operations that `plan` makes of its present state, and tells the others. When somebody else changes it in
   * between, it is read and planned again: nobody's change is lost, and nothing is decided on an old state. No operations: no change.
   * @throws NotFound `hit_missing`; Conflict `version_conflict`, when it is not at `ifMatch`, or when
   *   others keep changing it
   */
  async change(
    actor: Actor,
    id: string,
    plan: (context: ChangeContext & { readonly version: Version }) => readonly UpdateOperation[],
    { ifMatch, visible = 'soon' }: ChangeOptions = {},
  ): Promise<Versioned<Hit>> {
    return this.#change(
      id,
      async () => {
        const stored = await this.get(actor, id);
        const now = formatDate(this.#dependencies.clock());
        const operations = plan({ hit: stored.document, version: stored.version, username: actor.username, now });
        if (operations.length === 0) return stored;
        if (ifMatch !== undefined && ifMatch !== stored.version) throw outdated(id);
        const changed = shown(
          await this.#dependencies.hits.update(id, operations, { ifVersion: stored.version, visible }),
        );
        await this.#dependencies.events.changed(changed.document, changed.version);
        return changed;
      },
      ifMatch === undefined,
    );
  }

  /** As `change`, for changes that give the whole alert anew. */
  async replace(
    actor: Actor,
    id: string,
    change: (hit: Hit) => Hit,
    { visible = 'soon' }: Pick<ChangeOptions, 'visible'> = {},
  ): Promise<Versioned<Hit>> {
    return this.#change(id, async () => {
      const stored = await this.get(actor, id);
      const document = change(stored.document);
      const version = await this.#dependencies.hits.save(id, document, { ifVersion: stored.version, visible });
      await this.#dependencies.events.changed(document, version);
      return { document, version };
    });
  }

  /** Changes of one alert by this process take turns; those by others are found when it is written. */
  #change<T>(id: string, attempt: () => Promise<T>, again = true): Promise<T> {
    return inTurn(this.#dependencies.hits, id, () => (again ? retryOnConflict(attempt, isOvertaken) : attempt()));
  }
}

/** Somebody changed or deleted the alert between reading and writing. */
function isOvertaken(error: unknown): boolean {
  return isVersionConflict(error) || (isTriadError(error) && error.code === 'document_missing');
}

function shown({ document, version }: Versioned<Hit>): Versioned<Hit> {
  return { document: toOutput(hitDocument, document), version };
}

export function missing(id: string): NotFound {
  return new NotFound('hit_missing', `Hit ${id} does not exist`);
}

function outdated(id: string): Conflict {
  return new Conflict('version_conflict', `The hit ${id} was changed since the version in If-Match. Read it again.`);
}
