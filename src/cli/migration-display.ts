import { messageOf } from '../errors/errors.ts';
import type { MigrationOutcome, MigrationReport, MigrationSettings } from '../migrations/run-migrations.ts';
import type { CommandContext } from './command.ts';
import { createProgressDisplay } from './progress-display.ts';
import { count } from './quantities.ts';
import { alignColumns } from './text-table.ts';

const OUTCOMES: Readonly<Record<MigrationOutcome['kind'], string>> = {
  applied: 'applied now',
  already_applied: 'already applied',
  waited: 'waited for another',
  failed: 'failed',
  interrupted: 'interrupted',
  not_reached: 'not reached',
};

/** The display of a run: a progress bar on a terminal, plain lines elsewhere, and a table at the end. */
export interface MigrationDisplay extends MigrationReport {
  waitingForFolder(folder: string): void;
  /** The table, on standard output. Everything else goes to standard error. */
  summary(outcomes: readonly MigrationOutcome[]): void;
}

export async function createMigrationDisplay(
  context: CommandContext,
  { wait_timeout }: MigrationSettings,
): Promise<MigrationDisplay> {
  const progress = await createProgressDisplay(context);
  const tell = (line: string) => {
    progress.clear();
    context.printError(line);
  };
  return {
    waitingForFolder: (folder) =>
      tell(`Another migration runner has the data folder ${folder}. Waiting at most ${wait_timeout} s.`),
    started: ({ id, title }) => tell(`${id}: started (${title})`),
    waiting: ({ id }, since) =>
      tell(
        `${id}: another process has been running it since ${new Date(since).toISOString()}. Waiting at most ${wait_timeout} s. If you know that it is gone, stop this one and start it with SVC_MIGRATION_STALE_CLAIM_TIMEOUT=0.`,
      ),
    progress: ({ id }, done, total) => progress.show(id, done, total),
    warning: ({ id }, message) => tell(`WARNING: ${id}: ${message}`),
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
    summary(outcomes) {
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
