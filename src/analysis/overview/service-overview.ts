import type { Queues } from '../../coordination/coordination.ts';
import type { Service } from '../../documents/kinds/analysis/service.ts';
import { BUILT_IN_IMAGE } from '../analyzers/manifest.ts';
import { taskQueue } from '../dispatching/task-pump.ts';
import { queueAge } from './queue-age.ts';

export interface ServiceOverviewDependencies {
  readonly registry: { all(): Promise<readonly Service[]> };
  readonly queues: Pick<Queues, 'length' | 'oldest' | 'list'>;
  /** Returns when a worker of each service asked for tasks last, in milliseconds since 1970. */
  readonly lastPolls: () => Promise<ReadonlyMap<string, number>>;
  readonly now?: () => number;
}

/** State of a service, for operators. */
export interface ServiceState {
  readonly name: string;
  readonly version: string;
  /**
   * State of its workers. `idle`: none has asked for tasks for a minute.
   * `unknown`: tasks wait for a service that is not registered.
   */
  readonly state: 'working' | 'idle' | 'disabled' | 'unknown';
  readonly origin: 'built-in' | 'protocol' | '';
  readonly stage: string;
  readonly category: string;
  /** Tasks that wait for a worker. */
  readonly waiting: number;
  /** Seconds that the oldest of them waits. */
  readonly age: number;
  /** Seconds since a worker asked for tasks. */
  readonly polled: number | undefined;
}

const PREFIX = taskQueue('');
/** Milliseconds without a poll after which a service counts as idle: a poll may last 30 s. */
const IDLE_AFTER = 60_000;

/** Shows the services of the installation and what waits for them. */
export class ServiceOverview {
  readonly #dependencies: ServiceOverviewDependencies;
  readonly #now: () => number;

  constructor(dependencies: ServiceOverviewDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
  }

  /** Returns the state of every service, and of names for which tasks wait, by name. */
  async states(): Promise<readonly ServiceState[]> {
    const { registry, lastPolls } = this.#dependencies;
    const [services, polls, names] = await Promise.all([registry.all(), lastPolls(), this.#waitedFor()]);
    const known = new Map(services.map((service) => [service.name, service]));
    const all = [...new Set([...known.keys(), ...names])].sort();
    return Promise.all(all.map((name) => this.#state(name, known.get(name), polls.get(name))));
  }

  /** Returns the number of waiting tasks of registered services. */
  async lengths(): Promise<ReadonlyMap<string, number>> {
    return this.#ofEach((name) => this.#dependencies.queues.length(taskQueue(name)));
  }

  /** Returns the seconds that the oldest task of each registered service waits. */
  async ages(): Promise<ReadonlyMap<string, number>> {
    return this.#ofEach((name) => this.#age(name));
  }

  async #state(name: string, service: Service | undefined, polled: number | undefined): Promise<ServiceState> {
    const since = polled === undefined ? undefined : Math.max(0, this.#now() - polled);
    const isIdle = since === undefined || since > IDLE_AFTER;
    const state = service === undefined ? 'unknown' : !service.enabled ? 'disabled' : isIdle ? 'idle' : 'working';
    const isBuiltIn = service?.docker_config.image === BUILT_IN_IMAGE;
    return {
      name,
      version: service?.version ?? '',
      state,
      origin: service === undefined ? '' : isBuiltIn ? 'built-in' : 'protocol',
      stage: service?.stage ?? '',
      category: service?.category ?? '',
      waiting: await this.#dependencies.queues.length(taskQueue(name)),
      age: await this.#age(name),
      polled: since === undefined ? undefined : Math.floor(since / 1000),
    };
  }

  #age(name: string): Promise<number> {
    return queueAge(this.#dependencies.queues, taskQueue(name), this.#now());
  }

  async #ofEach(measure: (name: string) => Promise<number>): Promise<ReadonlyMap<string, number>> {
    const services = await this.#dependencies.registry.all();
    return new Map(await Promise.all(services.map(async ({ name }) => [name, await measure(name)] as const)));
  }

  async #waitedFor(): Promise<readonly string[]> {
    return (await this.#dependencies.queues.list(PREFIX)).map((queue) => queue.slice(PREFIX.length));
  }
}
