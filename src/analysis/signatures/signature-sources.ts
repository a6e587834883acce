import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { allOf } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { type Service, serviceDocument } from '../../documents/kinds/analysis/service.ts';
import { type ServiceDelta, serviceDeltaDocument } from '../../documents/kinds/analysis/service-delta.ts';
import { type Signature, signatureDocument } from '../../documents/kinds/analysis/signature.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { InvalidInput, isConflict, NotFound } from '../../errors/errors.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';

export interface SignatureSourcesDependencies {
  readonly registry: Pick<ServiceRegistry, 'get' | 'all' | 'changed'>;
  readonly deltas: Collection<ServiceDelta>;
  readonly signatures: Collection<Signature>;
  readonly classification: ClassificationEngine;
  readonly tables: Pick<Coordination['tables'], 'put' | 'take' | 'entries'>;
  readonly now?: () => Date;
}

type SourceActor = Pick<Actor, 'classification'>;
type Raw = Readonly<Record<string, unknown>>;
type Sources = NonNullable<NonNullable<ServiceDelta['update_config']>['sources']>;

const FAILURE = { response: { success: false } };
const MAX_SOURCES = 1000;
const ACCESS = unrestricted('what an installation changes of a service has no classification');
const SIGNATURES = unrestricted('signatures follow their source, of every classification');
const NEVER = '1970-01-01T00:00:00.000000Z';

/** Keeps the places that services get their signatures from. Fetching is the work of their updaters. */
export class SignatureSources {
  readonly #dependencies: SignatureSourcesDependencies;
  readonly #signatures: Collection<Signature>;
  readonly #now: () => Date;

  constructor(dependencies: SignatureSourcesDependencies) {
    this.#dependencies = dependencies;
    this.#signatures = classifiedCollection(dependencies.signatures, signatureDocument, dependencies.classification);
    this.#now = dependencies.now ?? (() => new Date());
  }

  /** Returns the sources of all services that the actor may see, with their state, by service. */
  async list(actor: SourceActor): Promise<Readonly<Record<string, object>>> {
    const services = (await this.#dependencies.registry.all()).filter((service) => this.#sees(actor, service));
    const listed = services.flatMap((service) => (service.update_config ? [this.#shown(service)] : []));
    return Object.fromEntries(await Promise.all(listed));
  }

  /** @throws NotFound `unknown_service`; InvalidInput `no_sources`, `source_incomplete`, `source_exists` */
  async add(actor: SourceActor, service: string, input: Raw): Promise<void> {
    if (typeof input.name !== 'string') throw incomplete('The member name is missing. It must be a string.');
    const name = input.name.replaceAll(' ', '_').replaceAll(/[^0-9a-zA-Z_]+/g, '');
    if (name === '') throw incomplete('The name of the source must have letters, digits or `_`.');
    await this.#change(actor, service, (sources) => {
      if (sources.some((source) => source.name === name)) {
        throw new InvalidInput('source_exists', `Update source name already exist: ${name}`, FAILURE);
      }
      if (sources.length >= MAX_SOURCES) throw incomplete(`A service has at most ${MAX_SOURCES} sources.`);
      return [...sources, completed({ ...input, name })];
    });
  }

  /** Replaces a source; its signatures get a new classification, too. Throws as `add`, `source_missing`. */
  async replace(actor: SourceActor, service: string, name: string, input: Raw): Promise<void> {
    if (input.name !== name) {
      throw new InvalidInput('source_renamed', 'You are not allowed to change the source name.', FAILURE);
    }
    let before: string | undefined;
    await this.#change(actor, service, (sources) => {
      const at = indexOf(sources, name, service);
      before = sources[at]?.default_classification;
      if (typeof input.default_classification !== 'string') {
        throw incomplete('The member default_classification is missing. It must be a classification.');
      }
      return sources.with(at, completed(input));
    });
    const classification = this.#dependencies.classification.normalise(String(input.default_classification));
    if (before !== classification || input.override_classification === true) await this.#classify(name, classification);
    await this.#queue(service, [name]);
  }

  /** @throws NotFound `unknown_service`, `source_missing` */
  async setEnabled(actor: SourceActor, service: string, name: string, enabled: boolean): Promise<void> {
    await this.#change(actor, service, (sources) => {
      const at = indexOf(sources, name, service);
      return sources.with(at, { ...sources[at], enabled } as Sources[number]);
    });
  }

  /** Removes a source with its signatures. @throws NotFound `unknown_service`, `source_missing` */
  async remove(actor: SourceActor, service: string, name: string): Promise<void> {
    await this.#change(actor, service, (sources) => sources.toSpliced(indexOf(sources, name, service), 1));
    const query = allOf(
      { kind: 'term', field: 'type', value: service.toLowerCase() },
      { kind: 'term', field: 'source', value: name },
    );
    await this.#signatures.deleteWhere({ query }, { access: SIGNATURES, visible: 'now' });
    await this.#dependencies.tables.take(tableOf(service), name);
  }

  /** Marks sources as waiting for their updater, and returns which. @throws NotFound `unknown_service` */
  async update(actor: SourceActor, service: string, names: readonly string[] | undefined): Promise<readonly string[]> {
    const sources = (await this.#effective(actor, service)).update_config?.sources;
    if (sources === undefined) {
      throw new NotFound('no_sources', `${service} doesn't contain an update configuration.`, FAILURE);
    }
    const chosen = sources.map(({ name }) => name).filter((name) => names === undefined || names.includes(name));
    await this.#queue(service, chosen);
    await this.#dependencies.registry.changed({ name: service, operation: 'modified' });
    return chosen;
  }

  async #queue(service: string, names: readonly string[]): Promise<void> {
    const status = { state: 'UPDATING', message: 'Queued for update..', ts: formatDate(this.#now()) };
    for (const name of names) await this.#dependencies.tables.put(tableOf(service), name, status);
  }

  async #shown(service: Service) {
    const { name, update_config: config } = wholeOutput(serviceDocument, service);
    const states = await this.#dependencies.tables.entries(tableOf(name));
    const waiting = { state: 'UNKNOWN', message: 'Waiting for next update..', ts: formatDate(this.#now()) };
    const sources = (config?.sources ?? []).map((source) => ({
      ...source,
      update_interval: source.update_interval ?? config?.update_interval_seconds,
      status: { last_successful_update: NEVER, status: states.get(source.name) ?? waiting },
    }));
    const { generates_signatures, update_interval_seconds, default_pattern } = config ?? {};
    return [name, { sources, generates_signatures, update_interval_seconds, default_pattern }] as const;
  }

  #sees(actor: SourceActor, { classification }: Service): boolean {
    return this.#dependencies.classification.isAccessible(actor.classification, classification, true);
  }

  async #effective(actor: SourceActor, name: string): Promise<Service> {
    const service = await this.#dependencies.registry.get(name);
    if (service !== undefined && this.#sees(actor, service)) return service;
    throw new NotFound('unknown_service', `${name} service does not exist`, FAILURE);
  }

  async #change(actor: SourceActor, name: string, change: (sources: Sources) => Sources): Promise<void> {
    const { registry, deltas, classification } = this.#dependencies;
    await retryOnConflict(async () => {
      const stored = await deltas.getVersioned(name, ACCESS);
      const { update_config: config, version } = await this.#effective(actor, name);
      if (!config) {
        throw new InvalidInput('no_sources', 'This service is not configured to use external sources.', FAILURE);
      }
      const delta = stored?.document ?? { version };
      // The registry may be some seconds old; what is stored is not.
      const sources = change((stored?.document.update_config?.sources ?? config.sources) as Sources);
      const changed = { ...delta, update_config: { ...stored?.document.update_config, sources } };
      const { document } = readDocument(serviceDeltaDocument, changed, { unknown: 'drop', classification });
      await deltas.save(name, document, { ifVersion: stored?.version ?? ABSENT, visible: 'now' });
    }, isConflict);
    await registry.changed({ name, operation: 'modified' });
  }

  /** The classification and its hidden fields change with the whole document alone. */
  async #classify(source: string, classification: string): Promise<void> {
    const query = { kind: 'term', field: 'source', value: source } as const;
    const last_modified = formatDate(this.#now());
    for await (const { id } of this.#signatures.stream({ query, fields: ['name'] }, SIGNATURES)) {
      await retryOnConflict(async () => {
        const stored = await this.#signatures.getVersioned(id, SIGNATURES);
        if (stored === undefined || stored.document.classification === classification) return;
        const changed = { ...stored.document, classification, last_modified };
        await this.#signatures.save(id, changed, { ifVersion: stored.version });
      });
    }
  }
}

/** Private keys end with a line break. */
function completed(input: Raw): Sources[number] {
  const { private_key: key } = input;
  if (!isObject(input)) throw incomplete('The source must be an object.');
  return (typeof key === 'string' && key !== '' && !key.endsWith('\n')
    ? { ...input, private_key: `${key}\n` }
    : input) as unknown as Sources[number];
}

function indexOf(sources: Sources, name: string, service: string): number {
  const at = sources.findIndex((source) => source.name === name);
  if (at !== -1) return at;
  throw new NotFound('source_missing', `Could not found source '${name}' in service ${service}.`, FAILURE);
}

function incomplete(message: string): InvalidInput {
  return new InvalidInput('source_incomplete', message, FAILURE);
}

function tableOf(service: string): string {
  return `signature-sources:${service}`;
}
