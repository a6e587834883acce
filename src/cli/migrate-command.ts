import type { MigrationContext } from '../composition/migration-context.ts';
import { loadConfig } from '../config/config.ts';
import { isTriadError, messageOf } from '../errors/errors.ts';
import type { DataMigration } from '../migrations/migration.ts';
import { MIGRATIONS, selectMigrations } from '../migrations/registry.ts';
import type { MigrationOutcome, MigrationReport, MigrationSettings } from '../migrations/run-migrations.ts';
import { type Command, type CommandContext, type ExitStatus, type FlagValues, WrongUse } from './command.ts';
import { createProgressDisplay } from './progress-display.ts';
import { alignColumns, count } from './text-format.ts';

/** Seconds of `--timeout` go where the configuration looks for them. */
const TIMEOUT_VARIABLE = 'SVC_DATASTORE_TRANSPORT_TIMEOUT';

export const migrateCommand = createMigrateCommand(MIGRATIONS);

/**
 * `triad migrate`; checks the command line before it loads the datastore (spec "Migration runner").
 * Exit status: 0 every selected migration is applied, 1 anything failed, 2 wrong use.
 */
export function createMigrateCommand(registry: readonly DataMigration[]): Command {
  return {
    name: 'migrate',
    usage: '',
    summary: 'Run one-off migrations of the stored data, each once. Stop what writes to the datastore before.',
    flags: {
      list: { value: 'none', description: 'print the identifiers of the migrations and do nothing else' },
      all: { value: 'none', description: 'select every migration' },
      'migration-id': { value: 'required', description: 'select one migration; may be repeated', multiple: true },
      timeout: { value: 'required', description: 'seconds that a request to the datastore may take' },
      'transport-timeout': { value: 'required', description: 'the same as --timeout' },
    },
    async run(context, flags) {
      const selected = readSelection(registry, flags);
      const environment = withTimeout(context.environment, flags);
      if (flags.list !== undefined) {
        for (const { id } of selected) context.print(id);
        return 0;
      }
      try {
        return await migrate({ ...context, environment }, selected);
      } catch (error) {
        context.printError(`ERROR: ${reasonOf(error, context.ending)}`);
        return 1;
      }
    },
  };
}

/** @throws WrongUse */
function readSelection(registry: readonly DataMigration[], flags: FlagValues): readonly DataMigration[] {
  const ids = flags['migration-id'];
  if (flags.list !== undefined && (flags.all !== undefined || ids !== undefined)) {
    throw new WrongUse('--list selects nothing: leave out --all and --migration-id.');
  }
  if (flags.all !== undefined && ids !== undefined) {
    throw new WrongUse('--all selects every migration: leave out --migration-id.');
  }
  if (flags.list === undefined && flags.all === undefined && ids === undefined) {
    throw new WrongUse('Nothing is selected: give --all, or --migration-id ID.');
  }
  try {
    return selectMigrations(registry, ids ?? 'all');
  } catch (error) {
    throw isTriadError(error) ? new WrongUse(error.message, { cause: error }) : error;
  }
}

/** @throws WrongUse */
function withTimeout(environment: CommandContext['environment'], flags: FlagValues): CommandContext['environment'] {
  const given = [...(flags.timeout ?? []), ...(flags['transport-timeout'] ?? [])];
  if (given.length > 1) throw new WrongUse('--timeout and --transport-timeout are the same: give one of them.');
  const [text] = given;
  if (text === undefined) return environment;
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new WrongUse(`--timeout has to be a number of seconds above 0. "${text}" is not allowed.`);
  }
  return { ...environment, [TIMEOUT_VARIABLE]: String(seconds) };
}

async function migrate(context: CommandContext, selected: readonly DataMigration[]): Promise<ExitStatus> {
  const config = loadConfig({ environment: context.environment });
  const display = await createMigrationDisplay(context, config.migration);
  const [{ openMigrationContext }, { runMigrations, isDone }] = await Promise.all([
    import('../composition/migration-context.ts'),
    import('../migrations/run-migrations.ts'),
  ]);
  const migrationContext = await openMigrationContext(config, {
    // The log goes to standard output, which belongs to the table; what fails is thrown and told.
    logger: context.createLogger('CRITICAL', config.logging.log_as_json),
    signal: context.ending,
    onWait: () => display.waitingForFolder(config.data_folder),
  });
  let isComplete = false;
  try {
    await warnOfNothing(migrationContext, context);
    const outcomes = await runMigrations({
      datastore: migrationContext.datastore,
      classification: migrationContext.classification,
      settings: config.migration,
      selected,
      report: display,
      signal: context.ending,
    });
    display.summary(outcomes);
    isComplete = outcomes.every(isDone);
  } finally {
    await migrationContext.close().catch((error: unknown) => {
      isComplete = false;
      context.printError(`ERROR: The datastore could not be closed: ${reasonOf(error, context.ending)}`);
    });
  }
  return isComplete ? 0 : 1;
}

/** A run under the wrong prefix would look like one that had nothing to do. */
async function warnOfNothing({ datastore }: MigrationContext, { printError }: CommandContext): Promise<void> {
  const pattern = `${datastore.admin.prefix}-*`;
  if ((await datastore.admin.list(pattern)).length > 0) return;
  printError(
    `WARNING: There is no index ${pattern} in the datastore, so there is nothing to migrate. If there should be, check SVC_DATASTORE_INDEX_PREFIX and where the datastore is: they have to be those of the service.`,
  );
}

function reasonOf(error: unknown, ending: AbortSignal): string {
  if (ending.aborted && error === ending.reason) return `Interrupted (${String(error)}); nothing is left claimed.`;
  return messageOf(error);
}

const OUTCOMES: Readonly<Record<MigrationOutcome['kind'], string>> = {
  applied: 'applied now',
  already_applied: 'already applied',
  waited: 'waited for another',
  failed: 'failed',
  interrupted: 'interrupted',
  not_reached: 'not reached',
};

/** Displays a run on standard error: a bar on a terminal, else lines; the table on standard output. */
async function createMigrationDisplay(context: CommandContext, { wait_timeout }: MigrationSettings) {
  const progress = await createProgressDisplay(context);
  const report = (line: string) => {
    progress.clear();
    context.printError(line);
  };
  const shown: MigrationReport = {
    started: ({ id, title }) => report(`${id}: started (${title})`),
    waiting: ({ id }, since) =>
      report(
        `${id}: another process has been running it since ${new Date(since).toISOString()}. Waiting at most ${wait_timeout} s. If you know that it is gone, stop this one and start it with SVC_MIGRATION_STALE_CLAIM_TIMEOUT=0.`,
      ),
    progress: ({ id }, done, total) => progress.show(id, done, total),
    warning: ({ id }, message) => report(`WARNING: ${id}: ${message}`),
    finished(outcome) {
      progress.end();
      const { id } = outcome;
      switch (outcome.kind) {
        case 'failed':
          return context.printError(`ERROR: ${id}: ${messageOf(outcome.error)}`);
        case 'interrupted':
          return context.printError(`ERROR: ${id}: interrupted (${messageOf(outcome.error)}). Run it again to go on.`);
        case 'not_reached':
          return;
        default:
          context.printError(
            `${id}: ${OUTCOMES[outcome.kind]}, documents changed: ${count(outcome.affectedDocuments)}`,
          );
      }
    },
  };
  return {
    ...shown,
    waitingForFolder: (folder: string) =>
      report(`Another migration runner has the data folder ${folder}. Waiting at most ${wait_timeout} s.`),
    summary(outcomes: readonly MigrationOutcome[]) {
      const rows = outcomes.map((outcome) => [
        outcome.id,
        OUTCOMES[outcome.kind],
        'affectedDocuments' in outcome ? count(outcome.affectedDocuments) : '-',
        outcome.kind === 'not_reached' ? '-' : `${(outcome.milliseconds / 1000).toFixed(1)} s`,
      ]);
      for (const line of alignColumns([['MIGRATION', 'OUTCOME', 'DOCUMENTS', 'DURATION'], ...rows]))
        context.print(line);
    },
  };
}
