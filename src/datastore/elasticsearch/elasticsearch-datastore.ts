import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { messageOf } from '../../errors/errors.ts';
import { checkedDatastore } from '../port/checked-datastore.ts';
import type { Capabilities, Datastore, DatastoreHealth } from '../port/datastore.ts';
import type { CollectionAdapter, DatastoreAdapter } from '../port/datastore-adapter.ts';
import { type DatastoreLogger, SILENT } from '../port/datastore-logger.ts';
import type { IndexAdmin } from '../port/index-admin.ts';
import type { EngineLimits } from './collection-context.ts';
import { elasticsearchCollection } from './elasticsearch-collection.ts';
import { type CollectionIndices, collectionIndices } from './indices/collection-indices.ts';
import { elasticsearchIndexAdmin, type IndexShape } from './indices/index-admin.ts';
import { findLifecycle, type IndexLifecycle } from './indices/index-lifecycle.ts';
import { OpenWork } from './open-work.ts';
import type { EngineHost } from './transport/engine-host.ts';
import type { SearchEngine } from './transport/search-engine.ts';
import { openSearchEngine } from './transport/search-engine-client.ts';

export interface ElasticsearchDatastoreOptions {
  readonly vendor: 'elasticsearch' | 'opensearch';
  /** Servers of one cluster. */
  readonly hosts: readonly EngineHost[];
  /** Aliases are `<prefix>-<collection>`. */
  readonly prefix: string;
  /** Milliseconds that a request may take. Default 10 s. */
  readonly transportTimeout?: number;
  /** Milliseconds that a task of the cluster may take. Default 1 h. */
  readonly taskPollTimeout?: number;
  /** Documents in a bulk request. Default 500. */
  readonly requestBatchSize?: number;
  /** Bytes in a bulk request. Default 100 MB. */
  readonly maxRequestSize?: number;
  /** Certificates of additional trusted authorities, in PEM format. Default none. */
  readonly certificates?: readonly string[];
  /** Shards and replicas of new indices. Default: 1 and 0, as the public system has it. */
  readonly shape?: (collection: string) => IndexShape;
  readonly logger?: DatastoreLogger;
}

/** Opens a cluster of Elasticsearch 8, 9 or OpenSearch 2, 3, also shared; throws as `openSearchEngine`. */
export async function openElasticsearchDatastore(options: ElasticsearchDatastoreOptions): Promise<Datastore> {
  const { vendor, hosts, certificates = [], logger = SILENT } = options;
  const limits: EngineLimits = {
    transportTimeout: options.transportTimeout ?? 10_000,
    requestBatchSize: options.requestBatchSize ?? 500,
    maxRequestSize: options.maxRequestSize ?? 100_000_000,
    taskPollTimeout: options.taskPollTimeout ?? 3_600_000,
  };
  const { transportTimeout } = limits;
  const engine = await openSearchEngine({ vendor, hosts, transportTimeout, certificates, logger });
  try {
    const lifecycle = await findLifecycle(engine);
    logger.info({ version: engine.version, lifecycle: lifecycle.present }, `Connected to ${vendor} ${engine.version}.`);
    return checkedDatastore(new ElasticsearchDatastore(engine, lifecycle, limits, options));
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Timeout of a health check in milliseconds, short because its caller waits. */
const HEALTH_TIMEOUT = 2000;

class ElasticsearchDatastore implements DatastoreAdapter {
  readonly capabilities: Capabilities;
  readonly admin: IndexAdmin;
  readonly #engine: SearchEngine;
  readonly #limits: EngineLimits;
  /** Not counted as work of its own: what was begun before closing may still make its index. */
  readonly #innerAdmin: IndexAdmin;
  readonly #work = new OpenWork();
  readonly #closing = new AbortController();
  readonly #indices: CollectionIndices[] = [];

  constructor(
    engine: SearchEngine,
    lifecycle: IndexLifecycle,
    limits: EngineLimits,
    { prefix, shape = () => ({ shards: 1, replicas: 0 }) }: ElasticsearchDatastoreOptions,
  ) {
    this.#engine = engine;
    this.#limits = limits;
    this.capabilities = { instantVisibility: false, serverSideLifecycle: lifecycle.present };
    const closed = this.#closing.signal;
    const changed = () => {
      for (const indices of this.#indices) indices.forget();
    };
    this.#innerAdmin = elasticsearchIndexAdmin({ engine, lifecycle, prefix, limits, shape, closed, changed });
    this.admin = this.#work.track(this.#innerAdmin, ['scan']);
  }

  collection<T>(definition: CollectionDefinition<T>): CollectionAdapter<T> {
    const alias = `${this.admin.prefix}-${definition.name}`;
    const wide = definition as CollectionDefinition<unknown>;
    const indices = collectionIndices(this.#engine, this.#innerAdmin, wide, alias);
    this.#indices.push(indices);
    const collection = elasticsearchCollection<T>({
      engine: this.#engine,
      definition,
      alias,
      limits: this.#limits,
      ready: () => indices.ready(),
      indices: (asked) => indices.indices(asked),
    });
    return this.#work.track(collection, ['stream']);
  }

  async health(): Promise<DatastoreHealth> {
    try {
      const { body } = await this.#engine.request<{ readonly status?: string }>({
        method: 'GET',
        // Of our indices alone: others on the cluster may be in any state.
        path: `/_cluster/health/${encodeURIComponent(this.admin.prefix)}-*`,
        query: { timeout: '1s' },
        timeout: Math.min(HEALTH_TIMEOUT, this.#limits.transportTimeout),
        accept: [408],
      });
      // Yellow: copies are missing, every document is there.
      return body.status === 'green' || body.status === 'yellow'
        ? { ok: true, detail: 'Documents are read and written.' }
        : {
            ok: false,
            detail: `The cluster says ${body.status}: documents are missing. Look at the nodes of the cluster.`,
          };
    } catch (error) {
      return { ok: false, detail: messageOf(error) };
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The datastore was closed before the copy ended.'));
    await this.#work.end();
    await this.#engine.close();
  }
}
