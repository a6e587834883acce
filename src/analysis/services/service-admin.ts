import type { ClassificationEngine } from '../../classification/classification.ts';
import { type Collection, throwBulkFailure } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { type Service, serviceDocument } from '../../documents/kinds/analysis/service.ts';
import { type ServiceDelta, serviceDeltaDocument } from '../../documents/kinds/analysis/service-delta.ts';
import type { Signature } from '../../documents/kinds/analysis/signature.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { InvalidInput, NotFound } from '../../errors/errors.ts';
import { readPlainYaml } from '../system/plain-yaml.ts';
import type { HeuristicRegistration } from './heuristic-registration.ts';
import { deltaBetween, mergeDelta } from './service-delta.ts';
import { invalidManifest } from './service-manifest.ts';
import { type ServiceRegistry, serviceId, unknownService } from './service-registry.ts';

type Plain = Readonly<Record<string, unknown>>;

export interface ServiceAdminDependencies {
  readonly registry: ServiceRegistry;
  readonly services: Collection<Service>;
  readonly deltas: Collection<ServiceDelta>;
  readonly registration: Pick<HeuristicRegistration, 'deleteAll'>;
  readonly signatures: Pick<Collection<Signature>, 'deleteWhere'>;
  readonly classification: ClassificationEngine;
}

const ACCESS = unrestricted('administrators manage services of every classification');
/** Versions that this generation of services has; others are stored, but not offered. */
const OFFERED = '4\\.7\\.\\d+\\.';

/** Adds, changes and deletes services for administrators (contract/analysis.md section 6). */
export class ServiceAdmin {
  readonly #dependencies: ServiceAdminDependencies;

  constructor(dependencies: ServiceAdminDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Adds a service from the text of its manifest, in YAML or JSON.
   * @throws InvalidInput `invalid_manifest`, `invalid_document`, `invalid_yaml`
   */
  async add(text: string): Promise<{ readonly service_name: string; readonly new_heuristics: readonly string[] }> {
    const hasTag = text.includes('$SERVICE_TAG');
    // There is no registry of images to ask for the newest tag, so such a service waits to be switched on.
    const manifest = readPlainYaml(text.replaceAll('$SERVICE_TAG', 'latest'));
    if (!isObject(manifest)) throw invalidManifest('The manifest must be a mapping in YAML or JSON.', '');
    checkParameters(manifest.submission_params);
    const { classification, registry } = this.#dependencies;
    const { classification: own, default_result_classification: results } = manifest;
    const marking = [own, results].map((one) => (typeof one === 'string' ? one : undefined));
    const input = {
      ...manifest,
      ...(marking.some((one) => one !== undefined)
        ? { classification: classification.max(marking[0], marking[1]) }
        : {}),
      ...(hasTag ? { enabled: false } : {}),
    };
    const { service, newHeuristics } = await registry.register(input, { origin: 'administrator' });
    return { service_name: service.name, new_heuristics: newHeuristics };
  }

  /**
   * Returns the configuration of a service.
   * @param version default: the one that runs
   * @throws NotFound `unknown_service`
   */
  async get(name: string, version?: string): Promise<object> {
    const { services, deltas } = this.#dependencies;
    const delta = await deltas.get(name, ACCESS);
    const stored = delta && (await services.get(serviceId({ name, version: version ?? delta.version }), ACCESS));
    if (stored === undefined || delta === undefined) throw unknownService(name);
    const { dependencies, ...changes } = delta;
    const isChanged = Object.keys(dependencies ?? {}).length > 0;
    const merged = mergeDelta(toOutput(serviceDocument, stored), {
      ...changes,
      ...(isChanged ? { dependencies } : {}),
      ...(version === undefined ? {} : { version }),
    });
    return { auto_update: false, ...withIntervals(merged) };
  }

  /** Returns the stored document of a version. @throws NotFound `unknown_service` */
  async defaults(name: string, version: string): Promise<object> {
    const stored = await this.#dependencies.services.get(serviceId({ name, version }), ACCESS);
    if (stored === undefined) throw unknownService(name);
    const whole = wholeOutput(serviceDocument, stored);
    return { ...whole, auto_update: whole.auto_update ?? false };
  }

  /** Returns the services that a reader with this classification may see, in short. */
  async list(clearance: string): Promise<readonly object[]> {
    const { registry, classification } = this.#dependencies;
    const services = await registry.all();
    return services
      .filter((service) => classification.isAccessible(clearance, service.classification))
      .sort((left, right) => (left.name < right.name ? -1 : 1))
      .map((service) => ({
        accepts: service.accepts,
        category: service.category,
        classification: service.classification,
        description: service.description,
        enabled: service.enabled,
        is_external: service.is_external,
        name: service.name,
        privileged: service.privileged,
        rejects: service.rejects ?? null,
        stage: service.stage,
        version: service.version,
      }));
  }

  /**
   * Stores what the given configuration changes of a version, and makes that version the one that runs.
   * @throws NotFound `unknown_service_version`; InvalidInput `service_renamed`, `invalid_document`
   */
  async set(name: string, given: Plain): Promise<{ readonly success: true; readonly removed_sources: object }> {
    const { services, deltas, registry, classification } = this.#dependencies;
    const { version } = given;
    const defaults = typeof version === 'string' ? await services.get(`${name}_${version}`, ACCESS) : undefined;
    if (defaults === undefined || typeof version !== 'string') throw unknownVersion();
    if (given.name !== undefined && given.name !== name) {
      const options = { at: 'name', response: { success: false } };
      throw new InvalidInput('service_renamed', 'You cannot change the service name', options);
    }
    const before = await registry.get(name);
    const stored = toOutput(serviceDocument, defaults);
    const wanted = before?.version === version ? given : withImages(given, stored);
    const delta: Plain = { ...deltaBetween(stored as Plain, withCleanSources(wanted)), version };
    const options = { unknown: 'drop', classification } as const;
    const { document } = readDocument(serviceDeltaDocument, delta, options);
    const { document: after } = readDocument(serviceDocument, mergeDelta(stored as Plain, document), options);
    const removed = delta.update_config === undefined ? {} : await this.#removeSources(name, before, after);
    await deltas.save(name, document, { visible: 'now' });
    await registry.changed({ name, version, operation: 'modified' });
    return { removed_sources: removed, success: true };
  }

  /**
   * Deletes a service with all its versions, heuristics and signatures.
   * @returns the answer of the public system, which counts versions of its own release alone as deleted
   * @throws NotFound `unknown_service`
   */
  async delete(name: string): Promise<{ readonly success: boolean }> {
    const { services, deltas, registry, registration, signatures } = this.#dependencies;
    if ((await deltas.get(name, ACCESS)) === undefined) {
      throw new NotFound('unknown_service', `Service ${name} does not exist`, { response: { success: false } });
    }
    const versions = await registry.versions(name);
    await deltas.delete(name, { visible: 'now' });
    const items = versions.map((version) => ({ kind: 'delete', id: serviceId({ name, version }) }) as const);
    if (items.length > 0) throwBulkFailure(await services.bulk(items, { visible: 'now' }), ['document_missing']);
    await registration.deleteAll(name);
    const query = { kind: 'term', field: 'type', value: name.toLowerCase() } as const;
    await signatures.deleteWhere({ query }, { access: ACCESS, visible: 'now' });
    await registry.changed({ name, operation: 'removed' });
    return { success: versions.some((version) => version.startsWith('4')) };
  }

  /** Returns the stored versions that the channel of the service offers, newest first. @throws NotFound */
  async versions(name: string): Promise<readonly string[]> {
    const { registry } = this.#dependencies;
    const service = await registry.get(name);
    if (service === undefined) throw unknownService(name);
    const { update_channel: channel } = service;
    const offered = new RegExp(`^${OFFERED}${channel === 'stable' ? '\\w+' : `${channel}\\d+`}`);
    const versions = (await registry.versions(name)).filter((version) => offered.test(version));
    return versions.sort((left, right) => right.localeCompare(left, 'en', { numeric: true }));
  }

  /** Deletes signatures of sources that are gone; returns whether there were any, by source. */
  async #removeSources(name: string, before: Service | undefined, after: Service): Promise<Record<string, boolean>> {
    const kept = new Set(after.update_config?.sources.map((source) => source.name));
    const removed: Record<string, boolean> = {};
    for (const { name: source } of before?.update_config?.sources ?? []) {
      if (kept.has(source)) continue;
      const filters = [
        { kind: 'term', field: 'type', value: name.toLowerCase() },
        { kind: 'term', field: 'source', value: source },
      ] as const;
      const selection = { query: { kind: 'all' }, filters } as const;
      const { changed } = await this.#dependencies.signatures.deleteWhere(selection, {
        access: ACCESS,
        visible: 'now',
      });
      removed[source] = changed > 0;
    }
    return removed;
  }
}

/** @throws InvalidInput `invalid_manifest` in the words of the public system */
function checkParameters(parameters: unknown): void {
  if (!Array.isArray(parameters)) return;
  for (const parameter of parameters) {
    if (!isObject(parameter)) continue;
    const { name, type, list, default: usual, value } = parameter;
    if (type === 'list' && list === undefined) {
      throw invalidManifest(`Missing list field for submission param: ${name}`, 'submission_params');
    }
    if (JSON.stringify(usual) !== JSON.stringify(value)) {
      throw invalidManifest(`Default and value mismatch for submission param: ${name}`, 'submission_params');
    }
  }
}

/** Sources without an interval of their own have that of the service. */
function withIntervals(service: Plain): Plain {
  const { update_config: updates } = service;
  if (!isObject(updates) || !Array.isArray(updates.sources)) return service;
  const sources = updates.sources.map((source: Plain) => ({
    update_interval: updates.update_interval_seconds,
    ...source,
  }));
  return { ...service, update_config: { ...updates, sources } };
}

/** A version runs in its own images, also when the configuration of another one is saved for it. */
function withImages(given: Plain, stored: Service): Plain {
  const { docker_config: container, dependencies } = given;
  const image = { image: stored.docker_config.image };
  return {
    ...given,
    ...(isObject(container) ? { docker_config: { ...container, ...image } } : {}),
    ...(isObject(dependencies) ? { dependencies: withDependencyImages(dependencies, stored) } : {}),
  };
}

function withDependencyImages(dependencies: Plain, stored: Service): Plain {
  const entries = Object.entries(dependencies).map(([name, dependency]) => {
    const own = Object.hasOwn(stored.dependencies, name) ? stored.dependencies[name]?.container.image : undefined;
    if (own === undefined || !isObject(dependency) || !isObject(dependency.container)) return [name, dependency];
    return [name, { ...dependency, container: { ...dependency.container, image: own } }];
  });
  return Object.fromEntries(entries);
}

/** Names of sources become parts of keys, and private keys end with a line break. */
function withCleanSources(given: Plain): Plain {
  const { update_config: updates } = given;
  if (!isObject(updates) || !Array.isArray(updates.sources)) return given;
  const sources = updates.sources.map((source) => {
    if (!isObject(source)) return source;
    const { name, private_key: key } = source;
    return {
      ...source,
      ...(typeof name === 'string' ? { name: name.replaceAll(' ', '_') } : {}),
      ...(typeof key === 'string' && key !== '' && !key.endsWith('\n') ? { private_key: `${key}\n` } : {}),
    };
  });
  return { ...given, update_config: { ...updates, sources } };
}

function unknownVersion(): NotFound {
  const message = 'The service you are trying to modify does not exist';
  return new NotFound('unknown_service_version', message, { response: { success: false } });
}
