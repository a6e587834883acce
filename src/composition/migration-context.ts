import type { Config } from '../config/config.ts';
import { isTriadError, Unavailable } from '../errors/errors.ts';
import { openClassification } from './classification-engine.ts';
import { dataFolder } from './data-folder.ts';
import { type AdapterOptions, openDatastore } from './open-adapters.ts';

/** The context that migrations run in. */
export type MigrationContext = Awaited<ReturnType<typeof openMigrationContext>>;

/**
 * Opens the datastore for a migration runner.
 * The folder of the embedded engine belongs to one process: waits as long as `migration.wait_timeout` for another runner.
 * @throws Unavailable `migration_wait_timeout`; `data_folder_in_use` when the program itself runs; as `openDatastore`;
 * `signal.reason`
 */
export async function openMigrationContext(
  config: Config,
  options: AdapterOptions & {
    readonly onWait: () => void;
    readonly signal: AbortSignal;
    /** False accepts another definition than the recorded one. Default true. */
    readonly check?: boolean;
  },
) {
  await using opening = new AsyncDisposableStack();
  const turn = config.datastore.type === 'embedded' ? await migrationLock(config, options) : undefined;
  opening.defer(() => turn?.release());
  const opened = openDatastore(config, options).catch((cause: unknown) => {
    if (turn === undefined || !isTriadError(cause) || cause.code !== 'data_folder_in_use') throw cause;
    throw new Unavailable(
      'data_folder_in_use',
      `The data folder ${config.data_folder} is in use by a process that is not a migration runner, such as the program that serves. Stop it while data is migrated.`,
      { cause },
    );
  });
  const datastore = opening.adopt(await opened, (one) => one.close());
  const { check = true } = options;
  const classificationRecord = await openClassification(config, datastore, { demo: false, check });
  const context = opening.move();
  return {
    datastore,
    classification: classificationRecord.engine,
    classificationRecord,
    close: () => context.disposeAsync(),
  };
}

async function migrationLock(
  { data_folder, migration }: Config,
  options: AdapterOptions & { readonly onWait: () => void; readonly signal: AbortSignal },
): Promise<{ release(): void }> {
  const { takeMigrationLock } = await import('../datastore/embedded/folder-lock.ts');
  return takeMigrationLock(await dataFolder(data_folder, options), {
    timeout: migration.wait_timeout * 1000,
    pollInterval: migration.poll_interval * 1000,
    signal: options.signal,
    onWait: options.onWait,
  });
}
