import type { Tables } from '../../coordination/coordination.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { ServiceRegistry } from './service-registry.ts';

export interface ServiceUpdatesDependencies {
  readonly registry: Pick<ServiceRegistry, 'all' | 'versions' | 'select'>;
  readonly tables: Pick<Tables, 'put' | 'entries'>;
}

/** Services that administrators asked for, by name. */
const INSTALLS = 'service-installs';
/** Services in one request, at most. */
const MAX_SERVICES = 1000;

/**
 * Switches between stored versions of services.
 * Images of containers are not fetched: what needs one is noted, and answered as by a public system without an updater.
 */
export class ServiceUpdates {
  readonly #dependencies: ServiceUpdatesDependencies;

  constructor(dependencies: ServiceUpdatesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes a stored version run; others are under way. @throws InvalidInput `invalid_update` */
  async update(input: unknown): Promise<{ readonly success: true; readonly status: 'updated' | 'updating' }> {
    const { registry } = this.#dependencies;
    const data = isObject(input) ? input : {};
    const tag = isObject(data.update_data) ? data.update_data.latest_tag : undefined;
    if (typeof data.name !== 'string' || typeof tag !== 'string') {
      const message = 'The update must have the name of a service, and update_data with latest_tag.';
      throw new InvalidInput('invalid_update', message);
    }
    const version = tag.replaceAll('stable', '');
    if (!(await registry.versions(data.name)).includes(version)) return { status: 'updating', success: true };
    await registry.select(data.name, version);
    return { status: 'updated', success: true };
  }

  /** Notes services to install; returns the names of those that are not installed. @throws InvalidInput */
  async install(input: unknown): Promise<readonly string[]> {
    if (!Array.isArray(input) || input.length > MAX_SERVICES) throw invalidInstall();
    const wanted = input.map((one) => {
      if (!isObject(one) || typeof one.name !== 'string' || typeof one.image !== 'string') throw invalidInstall();
      return { name: one.name, image: one.image };
    });
    const installed = await this.#installed();
    const missing = wanted.filter(({ name }) => !installed.has(name));
    for (const { name, image } of missing) await this.#dependencies.tables.put(INSTALLS, name, { image });
    return missing.map(({ name }) => name);
  }

  /** Returns the names of services that were to be installed and are not there. */
  async installing(): Promise<readonly string[]> {
    const installed = await this.#installed();
    const noted = await this.#dependencies.tables.entries(INSTALLS);
    return [...noted.keys()].filter((name) => !installed.has(name)).sort();
  }

  /** Sorts names by whether their service is installed, to be installed, or neither. */
  async states(input: unknown): Promise<Readonly<Record<'installing' | 'installed' | 'not_installed', string[]>>> {
    const states = { installing: [] as string[], installed: [] as string[], not_installed: [] as string[] };
    if (!Array.isArray(input)) return states;
    const installed = await this.#installed();
    const noted = await this.#dependencies.tables.entries(INSTALLS);
    for (const name of input.slice(0, MAX_SERVICES)) {
      if (typeof name !== 'string') throw invalidInstall();
      const state = installed.has(name) ? 'installed' : noted.has(name) ? 'installing' : 'not_installed';
      states[state].push(name);
    }
    return states;
  }

  async #installed(): Promise<ReadonlySet<string>> {
    return new Set((await this.#dependencies.registry.all()).map((service) => service.name));
  }
}

function invalidInstall(): InvalidInput {
  return new InvalidInput('invalid_install', 'Invalid data sent to install API');
}
