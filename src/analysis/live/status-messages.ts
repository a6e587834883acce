import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Workers } from '../../coordination/queue-worker.ts';
import type { Alerter } from '../alerts/alerter.ts';
import { ALERT_QUEUE } from '../completion/action-runner.ts';
import { COMPLETED_QUEUE } from '../dispatching/completion-message.ts';
import type { Dispatcher } from '../dispatching/dispatcher.ts';
import { taskQueue } from '../dispatching/task-pump.ts';
import { INCOMING_QUEUE } from '../ingest/ingest-service.ts';
import type { IngestSteps } from '../ingest/ingest-steps.ts';
import { levelQueue } from '../ingest/ingester.ts';
import { dropChance } from '../ingest/sampling.ts';
import type { ServiceCounts } from '../results/service-counts.ts';
import { RecentTotals } from './recent-totals.ts';

/** Channel of the heartbeats of components. */
export const STATUS_CHANNEL = 'analysis.status';

export interface HeartbeatsDependencies {
  readonly coordination: Pick<Coordination, 'events' | 'queues'>;
  readonly dispatcher: Pick<Dispatcher, 'id' | 'inflight' | 'counts' | 'activity'>;
  readonly ingest: Pick<IngestSteps, 'inFlight' | 'counts'>;
  readonly alerter: Pick<Alerter, 'counts'>;
  readonly expiry: {
    readonly deleted: ReadonlyMap<string, number>;
    pending(): Promise<ReadonlyMap<string, number>>;
  };
  readonly services: { all(): Promise<readonly { readonly name: string; readonly enabled: boolean }[]> };
  readonly serviceCounts: Pick<ServiceCounts, 'of'>;
  readonly settings: Pick<Settings['analysis'], 'core'>;
}

const INTERVAL = 5000;
/** Beats after which expired documents are counted again. */
const EXPIRY_BEATS = 12;
const SAMPLED = ['critical', 'high', 'medium', 'low'] as const;

/** Publishes heartbeats of the components of this process, in the shape of the public system. */
export class Heartbeats implements Workers {
  readonly #dependencies: HeartbeatsDependencies;
  readonly #recent = new Map<string, RecentTotals<string>>();
  #timer: NodeJS.Timeout | undefined;
  #beats = 0;
  #expired: ReadonlyMap<string, number> = new Map();

  constructor(dependencies: HeartbeatsDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    // A lost heartbeat is followed by the next one.
    this.#timer ??= setInterval(() => void this.beat().catch(() => undefined), INTERVAL).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
  }

  /** Publishes one heartbeat of each component. Counts are those of the last minute. */
  async beat(): Promise<void> {
    const { services } = this.#dependencies;
    await this.#publish('DispatcherHeartbeat', this.#dispatcher());
    await this.#publish('IngestHeartbeat', await this.#ingester());
    await this.#publish('AlerterHeartbeat', await this.#alerter());
    await this.#publish('ExpiryHeartbeat', await this.#expiry());
    const enabled = (await services.all()).filter((service) => service.enabled);
    const messages = await Promise.all(enabled.map(({ name }) => this.#service(name)));
    for (const message of messages) await this.#publish('ServiceHeartbeat', message);
  }

  #dispatcher() {
    const { dispatcher, settings } = this.#dependencies;
    const { completed, timeouts } = dispatcher.counts;
    const service_timeouts = [...timeouts.values()].reduce((sum, count) => sum + count, 0);
    return {
      component: 'dispatcher',
      instances: 1,
      inflight: {
        max: settings.core.dispatcher.max_inflight,
        outstanding: dispatcher.inflight,
        per_instance: [dispatcher.inflight],
      },
      metrics: this.#lastMinute('dispatcher', { submissions_completed: completed, service_timeouts }),
    };
  }

  async #ingester() {
    const { ingest, settings } = this.#dependencies;
    const { received, completed, duplicates, cache_hits, dropped, failed, retried, timed_out } = ingest.counts;
    const { sampling_at } = settings.core.ingester;
    const queues = {
      ingest: await this.#length(INCOMING_QUEUE),
      complete: await this.#length(COMPLETED_QUEUE),
    };
    const waiting = await Promise.all(
      SAMPLED.map(async (level) => [level, await this.#length(levelQueue(level))] as const),
    );
    const chances = waiting.map(([level, length]) => [level, 1 - dropChance(length, sampling_at[level])]);
    return {
      instances: 1,
      metrics: this.#lastMinute('ingester', {
        ...{ submissions_ingested: received, submissions_completed: completed, duplicates, cache_hit: cache_hits },
        ...{ skipped: dropped, error: failed, retries: retried, timed_out },
      }),
      processing: { inflight: await ingest.inFlight() },
      processing_chance: Object.fromEntries(chances) as Record<(typeof SAMPLED)[number], number>,
      queues: { ...queues, ...Object.fromEntries(waiting) },
    };
  }

  async #alerter() {
    return {
      instances: 1,
      metrics: this.#lastMinute('alerter', this.#dependencies.alerter.counts),
      queues: { alert: await this.#length(ALERT_QUEUE), alert_retry: 0 },
    };
  }

  async #expiry() {
    const { expiry } = this.#dependencies;
    if (this.#beats % EXPIRY_BEATS === 0) this.#expired = await expiry.pending().catch(() => this.#expired);
    this.#beats += 1;
    const deleted = Object.fromEntries([...this.#expired.keys()].map((name) => [name, expiry.deleted.get(name) ?? 0]));
    return { instances: 1, metrics: this.#lastMinute('expiry', deleted), queues: Object.fromEntries(this.#expired) };
  }

  async #service(name: string) {
    const { dispatcher, serviceCounts } = this.#dependencies;
    const activity = dispatcher.activity(name);
    return {
      service_name: name,
      queue: await this.#length(taskQueue(name)),
      instances: activity.busy + activity.idle,
      activity,
      metrics: this.#lastMinute(`service ${name}`, { ...serviceCounts.of(name) }),
    };
  }

  #lastMinute<Name extends string>(component: string, totals: Readonly<Record<Name, number>>): Record<Name, number> {
    const recent = this.#recent.get(component) ?? new RecentTotals();
    this.#recent.set(component, recent);
    return recent.since(totals);
  }

  #length(queue: string): Promise<number> {
    return this.#dependencies.coordination.queues.length(queue);
  }

  #publish(msg_type: string, msg: object): Promise<void> {
    const { coordination, dispatcher } = this.#dependencies;
    return coordination.events.publish(STATUS_CHANNEL, { msg_type, msg, sender: dispatcher.id });
  }
}
