import type { Events } from '../../coordination/coordination.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import type { Heuristic } from '../../documents/kinds/analysis/heuristic.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import { type Service, serviceDocument } from '../../documents/kinds/analysis/service.ts';
import { type ServiceDelta, serviceDeltaDocument } from '../../documents/kinds/analysis/service-delta.ts';
import type { ClassificationRules } from '../../documents/schema/field-spec.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { isConflict, messageOf, NotFound, Unauthenticated } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import { HeuristicRegistration } from './heuristic-registration.ts';
import { mergeDelta } from './service-delta.ts';
import { type ManifestDefaults, readManifest } from './service-manifest.ts';

/** Channel of `ServiceChange`: a service was added, changed or removed. */
export const SERVICE_EVENTS = 'analysis.services';

export interface ServiceChange {
  readonly name: string;
  readonly operation: 'added' | 'modified' | 'removed';
  /** Registration alone: who registered it. */
  readonly origin?: ServiceOrigin;
  readonly version?: string;
}

/** `protocol`: a worker; `built_in`: an analyzer of the program; `administrator`: a request. */
export type ServiceOrigin = 'protocol' | 'built_in' | 'administrator';

/** `write`: stores what is new; `compare`: refuses services and versions that are not stored. */
export type RegistrationMode = 'write' | 'compare';

export interface ServiceRegistryDependencies {
  readonly services: Collection<Service>;
  readonly deltas: Collection<ServiceDelta>;
  readonly heuristics: Collection<Heuristic>;
  readonly results: Pick<Collection<Result>, 'count'>;
  readonly events: Events;
  readonly classification: ClassificationRules;
  readonly defaults: ManifestDefaults;
  readonly log: Log;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

export interface Registration {
  /** False when the call stored this version; the worker then ends and is started again. */
  readonly keepAlive: boolean;
  /** Identifiers of heuristics that are new or changed. */
  readonly newHeuristics: readonly string[];
  /** The effective service. */
  readonly service: Service;
}

/** Milliseconds after which services are read again, for a process that missed an event. */
const LIFETIME = 4000;
const ACCESS = unrestricted('services run for all users; routes check who may see them');

/** The services of the installation. Each process has a copy that is at most 5 seconds old. */
export class ServiceRegistry {
  readonly #dependencies: ServiceRegistryDependencies;
  readonly #registration: HeuristicRegistration;
  readonly #now: () => number;
  #loaded: { readonly services: ReadonlyMap<string, Service>; readonly at: number } | undefined;
  #loading: Promise<ReadonlyMap<string, Service>> | undefined;
  #listening: Promise<() => Promise<void>> | undefined;

  constructor(dependencies: ServiceRegistryDependencies) {
    this.#dependencies = dependencies;
    this.#registration = new HeuristicRegistration(dependencies);
    this.#now = dependencies.now ?? Date.now;
  }

  /** Returns the document of a service, merged with the changes of the installation. */
  async get(name: string): Promise<Service | undefined> {
    return (await this.#services()).get(name);
  }

  /** Returns all effective services by name. */
  async all(): Promise<readonly Service[]> {
    return [...(await this.#services()).values()];
  }

  /** Returns the effective services that are switched on, by name. */
  async enabled(): Promise<readonly Service[]> {
    return (await this.all()).filter((service) => service.enabled);
  }

  /** Returns the stored versions of a service. */
  async versions(name: string): Promise<readonly string[]> {
    const versions: string[] = [];
    const request = { query: { kind: 'term', field: 'name', value: name }, fields: ['version'] } as const;
    for await (const { document } of this.#dependencies.services.stream(request, ACCESS))
      versions.push(document.version);
    return versions.sort();
  }

  /**
   * Registers a service from its manifest (contract/analysis.md section 8.2).
   * @param options.mode default `write`
   * @throws InvalidInput `invalid_manifest`, `invalid_document`; Unauthenticated `service_not_registered`
   */
  async register(
    manifest: unknown,
    options: { readonly mode?: RegistrationMode; readonly origin: ServiceOrigin },
  ): Promise<Registration> {
    const { defaults, classification, log } = this.#dependencies;
    const { service, heuristics } = readManifest(manifest, defaults, classification);
    if (options.mode === 'compare') return this.#compare(service);
    const definitions = heuristics && this.#registration.read(service.name, heuristics);
    const isNew = await this.#saveVersion(service);
    await this.#saveDelta(service);
    const newHeuristics = definitions === undefined ? [] : await this.#registration.store(definitions);
    this.#forget();
    const effective = await this.get(service.name);
    if (effective === undefined) throw unknownService(service.name);
    // A worker of another version does not decide which heuristics there are.
    if (definitions !== undefined && effective.version === service.version) {
      await this.#registration.deleteOthers(service.name, definitions);
    }
    const { name, version } = service;
    const { origin } = options;
    if (isNew) log.info({ service: name, version, origin }, 'a version of a service was registered');
    await this.changed({ name, version, origin, operation: isNew ? 'added' : 'modified' });
    return { keepAlive: !isNew, newHeuristics, service: effective };
  }

  /** Makes a version the one that runs. Nothing changes when the service is unknown. */
  async select(name: string, version: string): Promise<void> {
    await this.#changeDelta(name, { version });
  }

  /** Switches a service on or off. Nothing changes when it is unknown. */
  async setEnabled(name: string, enabled: boolean): Promise<void> {
    await this.#changeDelta(name, { enabled });
  }

  /** Makes every process read the services again. */
  async changed(change: ServiceChange): Promise<void> {
    this.#forget();
    await this.#dependencies.events.publish(SERVICE_EVENTS, change);
  }

  /** Stops listening for changes. */
  async close(): Promise<void> {
    const stop = await this.#listening?.catch(() => undefined);
    this.#listening = undefined;
    await stop?.();
  }

  async #compare(service: Service): Promise<Registration> {
    const effective = await this.get(service.name);
    if (effective?.version !== service.version) {
      throw new Unauthenticated(
        'service_not_registered',
        `${service.name} ${service.version} is not registered here, and this installation registers no services by itself. An administrator can add it.`,
      );
    }
    return { keepAlive: true, newHeuristics: [], service: effective };
  }

  async #saveVersion(service: Service): Promise<boolean> {
    try {
      await this.#dependencies.services.save(serviceId(service), service, { ifVersion: ABSENT, visible: 'now' });
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }

  /** Adds to the changes of the installation what a new version brings and they would hide. */
  async #saveDelta({ name, version, config, submission_params: parameters }: Service): Promise<void> {
    const { deltas, classification } = this.#dependencies;
    await retryOnConflict(async () => {
      const stored = await deltas.getVersioned(name, ACCESS);
      const before = stored?.document;
      const known = new Set(before?.submission_params?.map((parameter) => parameter.name));
      const changed = {
        ...(before ?? { version }),
        ...(before?.config && { config: { ...config, ...before.config } }),
        ...(before?.submission_params && {
          submission_params: [
            ...before.submission_params,
            ...parameters.filter((parameter) => !known.has(parameter.name)),
          ],
        }),
      };
      const { document } = readDocument(serviceDeltaDocument, changed, { unknown: 'drop', classification });
      if (before !== undefined && JSON.stringify(before) === JSON.stringify(document)) return;
      await deltas.save(name, document, { ifVersion: stored?.version ?? ABSENT, visible: 'now' });
    }, isConflict);
  }

  async #changeDelta(name: string, changes: Partial<Pick<ServiceDelta, 'version' | 'enabled'>>): Promise<void> {
    const { deltas } = this.#dependencies;
    await retryOnConflict(async () => {
      const stored = await deltas.getVersioned(name, ACCESS);
      if (stored === undefined) return;
      await deltas.save(name, { ...stored.document, ...changes }, { ifVersion: stored.version, visible: 'now' });
    }, isConflict);
    await this.changed({ name, operation: 'modified' });
  }

  async #services(): Promise<ReadonlyMap<string, Service>> {
    this.#listening ??= this.#listen();
    const loaded = this.#loaded;
    if (loaded !== undefined && this.#now() - loaded.at < LIFETIME) return loaded.services;
    this.#loading ??= this.#load();
    return this.#loading;
  }

  #load(): Promise<ReadonlyMap<string, Service>> {
    const at = this.#now();
    const loading = this.#readServices()
      .then((services) => {
        // What was read before a change is not kept.
        if (this.#loading === loading) this.#loaded = { services, at };
        return services;
      })
      .finally(() => {
        if (this.#loading === loading) this.#loading = undefined;
      });
    return loading;
  }

  async #readServices(): Promise<ReadonlyMap<string, Service>> {
    const { services, deltas, classification, log } = this.#dependencies;
    const entries: (readonly [string, ServiceDelta])[] = [];
    for await (const { id, document } of deltas.stream({ query: MATCH_ALL }, ACCESS)) entries.push([id, document]);
    const ids = entries.map(([name, { version }]) => serviceId({ name, version }));
    const documents = await services.getMany(ids, ACCESS);
    const found = new Map<string, Service>();
    entries.forEach(([name, delta], index) => {
      const stored = documents[index];
      if (stored === undefined) return;
      try {
        const merged = mergeDelta(stored, delta);
        const { document } = readDocument(serviceDocument, merged, { unknown: 'drop', classification });
        found.set(name, document);
      } catch (error) {
        log.warn({ service: name, error: messageOf(error) }, 'a service cannot be read and is left out');
      }
    });
    return found;
  }

  async #listen(): Promise<() => Promise<void>> {
    try {
      return await this.#dependencies.events.subscribe(SERVICE_EVENTS, () => this.#forget());
    } catch (error) {
      // The next look subscribes again; until then a copy is read every few seconds.
      this.#listening = undefined;
      this.#dependencies.log.warn({ error: messageOf(error) }, 'changes of services are noticed late');
      return async () => undefined;
    }
  }

  #forget(): void {
    this.#loaded = undefined;
    this.#loading = undefined;
  }
}

/** Returns the identifier of the document of a version. */
export function serviceId({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name}_${version}`;
}

export function unknownService(name: string): NotFound {
  return new NotFound('unknown_service', `${name} service does not exist`, { response: '' });
}
