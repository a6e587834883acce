import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import type { Version } from '../../datastore/port/versions.ts';
import type { Trigger } from '../../documents/kinds/action.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import type { Actor } from '../../identity/actor.ts';
import type { CorrelationScheduler } from '../cases/correlation-scheduler.ts';

/**
 * What happens to alerts, told to the parts of the program that follow it. The services call these after the write; nothing here
 * undoes it.
 */
export interface HitEvents {
  /**
   * Alerts that arrived through the interface: correlation rules and triggered actions look at them.
   * @returns warnings for the sender, when what follows could not be scheduled
   */
  created(actor: Actor, hits: readonly Hit[]): Promise<readonly string[]>;
  /** As `created`, for alerts that were taken in as plain records: triggered actions do not look at them. */
  ingested(hits: readonly Hit[]): Promise<readonly string[]>;
  /** An alert as it is now. Not called for updates by query, creation and deletion (contract/alert.md section 8). */
  changed(hit: Hit, version: Version): Promise<void>;
  triggered(actor: Actor, trigger: Trigger, ids: readonly string[]): Promise<void>;
  /** Alerts that were removed. */
  deleted(ids: readonly string[]): Promise<void>;
}

/** Payload of the event `hits`, for people who look at an alert while others work on it. */
export interface HitChanged {
  readonly hit: Hit;
  readonly version: Version;
}
/** Item of the queue of a trigger. */
export interface TriggerJob {
  readonly hit_ids: readonly string[];
  readonly uname: string;
}

export const HITS_CHANNEL = 'alerts.events.hits';
export const triggerQueue = (trigger: Trigger): string => `alerts.actions.${trigger}`;

export interface HitEventPublisherDependencies {
  events: Coordination['events'];
  queues: Coordination['queues'];
  correlation: Pick<CorrelationScheduler, 'arrived'>;
  /** Whether a worker takes from the queues of triggers. Nothing is put into them without: it would lie there for ever. */
  actionsHaveWorker: boolean;
  counters: { created(count: number): void; deleted(count: number): void };
  log: { warn(entry: object, message: string): void };
}

/** Tells it through the coordination port, so that every process of the installation can follow. */
export class HitEventPublisher implements HitEvents {
  readonly #dependencies: HitEventPublisherDependencies;
  readonly #log: RateLimitedLogger;

  constructor(dependencies: HitEventPublisherDependencies) {
    this.#dependencies = dependencies;
    this.#log = new RateLimitedLogger(dependencies.log);
  }

  async created(actor: Actor, hits: readonly Hit[]): Promise<readonly string[]> {
    const ids = hits.map((hit) => hit.howler.id);
    await this.triggered(actor, 'create', ids);
    return this.ingested(hits);
  }

  async ingested(hits: readonly Hit[]): Promise<readonly string[]> {
    this.#dependencies.counters.created(hits.length);
    return this.#dependencies.correlation.arrived(hits.map((hit) => hit.howler.id));
  }

  async changed(hit: Hit, version: Version): Promise<void> {
    try {
      await this.#dependencies.events.publish(HITS_CHANNEL, { hit, version } satisfies HitChanged);
    } catch (error) {
      this.#log.warn({ err: error, hit: hit.howler.id }, 'a change of an alert could not be published');
    }
  }

  async triggered(actor: Actor, trigger: Trigger, ids: readonly string[]): Promise<void> {
    const { queues, actionsHaveWorker } = this.#dependencies;
    if (!actionsHaveWorker || ids.length === 0) return;
    try {
      await queues.push(triggerQueue(trigger), [{ hit_ids: ids, uname: actor.username } satisfies TriggerJob]);
    } catch (error) {
      this.#log.warn({ err: error, trigger, hits: ids.length }, 'triggered actions could not be scheduled');
    }
  }

  async deleted(ids: readonly string[]): Promise<void> {
    this.#dependencies.counters.deleted(ids.length);
  }
}
