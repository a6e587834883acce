import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { Datastore } from '../datastore/datastore.ts';
import { Unsupported } from '../errors/errors.ts';

/**
 * The adapters of the ports, as the configuration names them. Each is loaded when it is wanted: clients of clusters are large, and who
 * runs on one machine needs none of them.
 */
export interface AdapterOptions {
  readonly logger: Logger;
  /** Nothing is kept on disk. Default false. */
  readonly inMemory?: boolean;
}

/**
 * @throws Unavailable when the data folder cannot be used, `data_folder_in_use` when another process has it; `datastore_unavailable`
 * when no host answers
 */
export async function openDatastore({ datastore, data_folder }: Config, options: AdapterOptions): Promise<Datastore> {
  if (datastore.type !== 'embedded') throw new Unsupported('unsupported_setting', datastore.type);
  const { openEmbeddedDatastore } = await import('../datastore/embedded/embedded-datastore.ts');
  const folder = await dataFolder(data_folder, options);
  return openEmbeddedDatastore({ folder, prefix: datastore.index_prefix, logger: options.logger });
}

/** @throws Unavailable when the data folder cannot be used; `coordination_unavailable` when Redis does not answer */
export async function openCoordination(config: Config, options: AdapterOptions): Promise<Coordination> {
  const { coordination, data_folder, datastore } = config;
  const { logger } = options;
  if (coordination.type === 'redis') {
    const { openRedisCoordination } = await import('../coordination/redis/redis-coordination.ts');
    return openRedisCoordination({ url: coordination.url, prefix: datastore.index_prefix, logger });
  }
  const { openEmbeddedCoordination } = await import('../coordination/embedded/embedded-coordination.ts');
  return openEmbeddedCoordination({ folder: await dataFolder(data_folder, options), logger });
}

/** The folder of the embedded parts, made when it is missing; `memory` when nothing is to be kept. */
export async function dataFolder(setting: string, { inMemory }: AdapterOptions): Promise<string> {
  if (inMemory === true) return 'memory';
  const folder = resolve(setting);
  await mkdir(folder, { recursive: true });
  return folder;
}
