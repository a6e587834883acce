import { inTurn } from '../../datastore/port/change-document.ts';
import type { Collection, Versioned, Visible } from '../../datastore/port/collection.ts';
import { isVersionConflict, retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { Version } from '../../datastore/port/versions.ts';
import type { Trigger } from '../../documents/kinds/action.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { Conflict, isTriadError, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { TriggerOrigin, TriggerQueue } from '../workers/trigger-queue.ts';
import type { ChangeContext } from './changes/hit-log.ts';

export const HITS_CHANNEL = 'alerts.events.hits';

/** Payload of the event `hits`, for people who look at an alert while others work on it. */
export interface HitChanged {
  readonly hit: Hit;
  readonly version: Version;
  /** Default: all listeners. */
  readonly audience?: 'viewers' | undefined;
}

export interface ChangeOptions {
  /** Version that the caller wants to change (contract/alert.md section 1.4). Default: the present one. */
  readonly ifMatch?: Version | undefined;
  readonly visible?: Visible;
  /** The trigger of the change. Default: none. */
  readonly fires?: Trigger | undefined;
  /** The run of an action that makes the change. Default: a request makes it. */
  readonly origin?: TriggerOrigin | undefined;
  /** Number of events for the change. Default 1. */
  readonly events?: 1 | 2;
}

export interface HitStoreDependencies {
  hits: Collection<Hit>;
  /** Reports a change, but no creation, deletion or update by query (contract/alert.md section 8). */
  changed: (id: string, event: HitChanged) => Promise<void>;
  /** Default: no change fires a trigger. */
  triggers?: Pick<TriggerQueue, 'fire'>;
  /** Default: the present time. */
  clock?: () => Date;
}

/** Reads and changes one alert. What is above the classification of the actor does not exist for them. */
export class HitStore {
  readonly #dependencies: HitStoreDependencies;

  constructor(dependencies: HitStoreDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns a complete alert without hidden fields, for answers. @throws NotFound `hit_missing` */
  async get(actor: Actor, id: string): Promise<Versioned<Hit>> {
    return shown(await this.getStored(actor, id));
  }

  /** Returns an alert as it is stored. @throws NotFound `hit_missing` */
  async getStored(actor: Actor, id: string): Promise<Versioned<Hit>> {
    const found = await this.#dependencies.hits.getVersioned(id, actor.readAccess);
    if (!found) throw hitMissing(id);
    return found;
  }

  /**
   * Changes an alert by the operations that `plan` makes of its present state.
   * Reports the change and fires its trigger.
   * Changes of one alert by this process take turns. When another process changes it in between, it is read and planned
   * again: no change is lost, and nothing is decided on an old state. No operations: no change.
   * @returns the alert after the change, as `get`
   * @throws NotFound `hit_missing`; Conflict `version_conflict`, when it is not at `ifMatch`, or when others keep changing it
   */
  async change(
    actor: Actor,
    id: string,
    { ifMatch, visible = 'soon', fires, origin, events = 1 }: ChangeOptions,
    plan: (context: ChangeContext) => readonly UpdateOperation[],
  ): Promise<Versioned<Hit>> {
    const { hits, changed, triggers, clock = () => new Date() } = this.#dependencies;
    let isChanged = false;
    const attempt = async () => {
      const stored = await this.get(actor, id);
      const { document: hit, version } = stored;
      const operations = plan({ hit, version, username: actor.username, now: formatDate(clock()) });
      if (operations.length === 0) return stored;
      if (ifMatch !== undefined && ifMatch !== version) {
        const message = `The hit ${id} was changed since the version in If-Match. Read it again.`;
        throw new Conflict('version_conflict', message);
      }
      const after = shown(await hits.update(id, operations, { ifVersion: version, visible }));
      for (let sent = 0; sent < events; sent += 1) await changed(id, { hit: after.document, version: after.version });
      isChanged = true;
      return after;
    };
    const after = await inTurn(hits, id, () =>
      ifMatch === undefined ? retryOnConflict(attempt, isOvertaken) : attempt(),
    );
    // Actions that run at once may change the same alert, so its turn is over.
    if (isChanged && fires !== undefined) await triggers?.fire(fires, actor, [after.document], origin);
    return after;
  }
}

/** Returns whether the alert was changed or deleted between reading and writing. */
function isOvertaken(error: unknown): boolean {
  return isVersionConflict(error) || (isTriadError(error) && error.code === 'document_missing');
}

function shown({ document, version }: Versioned<Hit>): Versioned<Hit> {
  return { document: toOutput(hitDocument, document), version };
}

export function hitMissing(id: string): NotFound {
  return new NotFound('hit_missing', `Hit ${id} does not exist`);
}
