import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { messageOf } from '../../errors/errors.ts';
import { checkedDatastore } from '../port/checked-datastore.ts';
import type { Datastore, DatastoreHealth } from '../port/datastore.ts';
import type { DatastoreAdapter } from '../port/datastore-adapter.ts';
import { type DatastoreLogger, SILENT } from '../port/datastore-logger.ts';
import type { EngineLimits } from './collection-context.ts';
import { elasticsearchCollection } from './elasticsearch-collection.ts';
import { type CollectionIndices, collectionIndices } from './indices/collection-indices.ts';
import { elasticsearchIndexAdmin, type IndexShape } from './indices/index-admin.ts';
import { findLifecycle, type IndexLifecycle } from './indices/index-lifecycle.ts';
import { OpenWork } from './open-work.ts';
import type { SearchEngine } from './transport/search-engine.ts';
import { openSearchEngine, type SearchEngineOptions } from './transport/search-engine-client.ts';

export interface ElasticsearchDatastoreOptions extends Pick<SearchEngineOptions, 'vendor' | 'hosts' | 'certificates'> {
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
    return checkedDatastore(datastoreAdapter(engine, lifecycle, limits, options));
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function datastoreAdapter(
  engine: SearchEngine,
  lifecycle: IndexLifecycle,
  limits: EngineLimits,
  { prefix, shape = () => ({ shards: 1, replicas: 0 }) }: ElasticsearchDatastoreOptions,
): DatastoreAdapter {
  const work = new OpenWork();
  const closing = new AbortController();
  const opened: CollectionIndices[] = [];
  const changed = () => {
    for (const indices of opened) indices.forget();
  };
  // Not counted as work of its own: what was begun before closing may still make its index.
  const admin = elasticsearchIndexAdmin({ engine, lifecycle, prefix, limits, shape, closed: closing.signal, changed });
  return {
    capabilities: { instantVisibility: false, serverSideLifecycle: lifecycle.present },
    admin: work.track(admin, ['scan']),
    collection<T>(definition: CollectionDefinition<T>) {
      const alias = `${prefix}-${definition.name}`;
      const indices = collectionIndices(engine, admin, definition as CollectionDefinition<unknown>, alias);
      opened.push(indices);
      const collection = elasticsearchCollection<T>({ engine, definition, alias, limits, ...indices });
      return work.track(collection, ['stream']);
    },
    health: () => health(engine, prefix, limits),
    async close() {
      closing.abort(new Error('The datastore was closed before the copy ended.'));
      await work.end();
      await engine.close();
    },
  };
}

/** Timeout of a health check in milliseconds, short because its caller waits. */
const HEALTH_TIMEOUT = 2000;

async function health(engine: SearchEngine, prefix: string, limits: EngineLimits): Promise<DatastoreHealth> {
  try {
    const { body } = await engine.request<{ readonly status?: string }>({
      // Of our indices alone: others on the cluster may be in any state.
      path: `/_cluster/health/${encodeURIComponent(prefix)}-*`,
      query: { timeout: '1s' },
      timeout: Math.min(HEALTH_TIMEOUT, limits.transportTimeout),
      accept: [408],
    });
    // Yellow: copies are missing, every document is there.
    const ok = body.status === 'green' || body.status === 'yellow';
    const problem = `The cluster says ${body.status}: documents are missing. Look at the nodes of the cluster.`;
    return { ok, detail: ok ? 'Documents are read and written.' : problem };
  } catch (error) {
    return { ok: false, detail: messageOf(error) };
  }
}
