import type { Coordination } from '../../coordination/coordination.ts';
import type { Workers } from '../../coordination/queue-worker.ts';
import type { Dispatcher } from '../dispatching/dispatcher.ts';
import { taskQueue } from '../dispatching/task-pump.ts';

/** Channel of the heartbeats of components. */
export const STATUS_CHANNEL = 'analysis.status';

export interface HeartbeatsDependencies {
  readonly coordination: Pick<Coordination, 'events' | 'queues'>;
  readonly dispatcher: Pick<Dispatcher, 'id' | 'inflight' | 'counts' | 'activity'>;
  readonly services: { all(): Promise<readonly { readonly name: string; readonly enabled: boolean }[]> };
  readonly maxInflight: number;
}

const INTERVAL = 5000;

/** Publishes heartbeats of dispatching and of the services, in the shape of the public system. */
export class Heartbeats implements Workers {
  readonly #dependencies: HeartbeatsDependencies;
  #timer: NodeJS.Timeout | undefined;
  #last = { completed: 0, timeouts: 0 };

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

  /** Publishes one heartbeat of each component. */
  async beat(): Promise<void> {
    const { coordination, dispatcher, services } = this.#dependencies;
    await this.#publish('DispatcherHeartbeat', this.#dispatcherHeartbeat());
    const waiting = await Promise.all(
      (await services.all())
        .filter(({ enabled }) => enabled)
        .map(async ({ name }) => ({ name, queue: await coordination.queues.length(taskQueue(name)) })),
    );
    for (const { name, queue } of waiting) {
      const activity = dispatcher.activity(name);
      const instances = activity.busy + activity.idle;
      await this.#publish('ServiceHeartbeat', { service_name: name, queue, instances, activity });
    }
  }

  #dispatcherHeartbeat() {
    const { dispatcher, maxInflight } = this.#dependencies;
    const timeouts = [...dispatcher.counts.timeouts.values()].reduce((sum, count) => sum + count, 0);
    const { completed } = dispatcher.counts;
    const metrics = {
      submissions_completed: completed - this.#last.completed,
      service_timeouts: timeouts - this.#last.timeouts,
    };
    this.#last = { completed, timeouts };
    return {
      component: 'dispatcher',
      instances: 1,
      inflight: { max: maxInflight, outstanding: dispatcher.inflight, per_instance: [dispatcher.inflight] },
      metrics,
    };
  }

  #publish(msg_type: string, msg: object): Promise<void> {
    const { coordination, dispatcher } = this.#dependencies;
    return coordination.events.publish(STATUS_CHANNEL, { msg_type, msg, sender: dispatcher.id });
  }
}
