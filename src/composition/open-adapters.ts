import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import type { FileStorage } from '../file-storage/file-storage.ts';
import { authoritiesFor } from './certificates.ts';
import { dataFolder } from './data-folder.ts';

/** Options of all adapters. Each adapter is loaded when it is wanted: clients of clusters are large. */
export interface AdapterOptions {
  readonly logger: Logger;
  /** Nothing is kept on disk. Default false. */
  readonly inMemory?: boolean;
}

/**
 * @throws Unavailable `data_folder_unusable`, `data_folder_in_use`, `datastore_unavailable`;
 * InvalidInput `invalid_certificates`
 */
export async function openDatastore(config: Config, options: AdapterOptions): Promise<Datastore> {
  const { datastore, data_folder } = config;
  const { index_prefix: prefix, type } = datastore;
  const { logger } = options;
  if (type === 'embedded') {
    const { openEmbeddedDatastore } = await import('../datastore/embedded/embedded-datastore.ts');
    return openEmbeddedDatastore({ folder: await dataFolder(data_folder, options), prefix, logger });
  }
  const addresses = datastore.hosts.map(({ url }) => url);
  const certificates = authoritiesFor(addresses, config.cert_directory);
  const { openElasticsearchDatastore } = await import('../datastore/elasticsearch/elasticsearch-datastore.ts');
  return openElasticsearchDatastore({
    vendor: type,
    prefix,
    logger,
    hosts: datastore.hosts,
    transportTimeout: datastore.transport_timeout * 1000,
    taskPollTimeout: datastore.task_poll_timeout * 1000,
    requestBatchSize: datastore.request_batch_size,
    maxRequestSize: datastore.max_request_size,
    certificates,
    shape: (collection) => ({
      shards: datastore.index_shapes[collection]?.shards ?? datastore.shards,
      replicas: datastore.index_shapes[collection]?.replicas ?? datastore.replicas,
    }),
  });
}

/** Throws `data_folder_unusable`, `coordination_unavailable`, `invalid_certificates`. */
export async function openCoordination(config: Config, options: AdapterOptions): Promise<Coordination> {
  const { coordination, data_folder, datastore } = config;
  const { logger } = options;
  if (coordination.type === 'redis') {
    const { openRedisCoordination } = await import('../coordination/redis/redis-coordination.ts');
    const { url } = coordination;
    const certificates = authoritiesFor([url], config.cert_directory);
    return openRedisCoordination({ url, prefix: datastore.index_prefix, certificates, logger });
  }
  const { openEmbeddedCoordination } = await import('../coordination/embedded/embedded-coordination.ts');
  return openEmbeddedCoordination({ folder: await dataFolder(data_folder, options), logger });
}

/**
 * Opens the storage of file contents; with `inMemory` in a temporary folder that `close` removes.
 * @throws Unavailable `file_storage_unavailable`, `data_folder_unusable`; InvalidInput `invalid_setting`, `invalid_certificates`
 */
export async function openFileStorage(config: Config, options: AdapterOptions): Promise<FileStorage> {
  const { files, data_folder } = config;
  const { logger } = options;
  if (files.type === 's3') {
    const { openS3FileStorage } = await import('../file-storage/s3/s3-file-storage.ts');
    const url = files.url ?? '';
    return openS3FileStorage({
      url,
      accessKey: files.access_key ?? undefined,
      secretKey: files.secret_key ?? undefined,
      region: files.region ?? undefined,
      createBucket: files.create_bucket,
      timeout: files.timeout * 1000,
      certificates: authoritiesFor([url], config.cert_directory),
      logger,
    });
  }
  const { openLocalFileStorage } = await import('../file-storage/local/local-file-storage.ts');
  if (options.inMemory !== true) {
    return openLocalFileStorage({ folder: join(await dataFolder(data_folder, options), 'files'), logger });
  }
  const folder = await mkdtemp(join(tmpdir(), 'triad-files-'));
  const storage = await openLocalFileStorage({ folder, logger });
  const close = async () => {
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...storage, close };
}
