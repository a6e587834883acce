import type { DataMigration } from '../migrations/migration.ts';
import type { MigrationOutcome, MigrationReport, MigrationSettings } from '../migrations/run-migrations.ts';
import type { CommandContext } from './command.ts';
import { alignColumns } from './text-table.ts';

/** Milliseconds between two lines of progress where there is no terminal. */
const LINE_INTERVAL = 5000;

const OUTCOMES: Readonly<Record<MigrationOutcome['kind'], string>> = {
  applied: 'applied now',
  already_applied: 'already applied',
  waited: 'waited for another',
  failed: 'failed',
  interrupted: 'interrupted',
  not_reached: 'not reached',
};

/** What a person sees of a run: a bar on a terminal, plain lines elsewhere, and a table at the end. */
export interface MigrationDisplay extends MigrationReport {
  waitingForFolder(folder: string): void;
  /** The table, on standard output. Everything else goes to standard error. */
  summary(outcomes: readonly MigrationOutcome[]): void;
}

export async function createMigrationDisplay(
  context: CommandContext,
  { wait_timeout }: MigrationSettings,
): Promise<MigrationDisplay> {
  const progress = context.errorStream.isTTY ? await barProgress(context) : lineProgress(context);
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
        `${id}: another process has been running it since ${new Date(since).toISOString()}. Waiting at most ${wait_timeout} s.`,
      ),
    progress: (migration, done, total) => progress.show(migration, done, total),
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

interface Progress {
  show(migration: DataMigration, done: number, total: number): void;
  /** Makes room for a line of text. */
  clear(): void;
  end(): void;
}

async function barProgress({ errorStream }: CommandContext): Promise<Progress> {
  const { SingleBar } = (await import('cli-progress')).default;
  let bar: InstanceType<typeof SingleBar> | undefined;
  let started = 0;
  const end = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    show({ id }, done, total) {
      // A migration may go through several collections, each with a total of its own.
      if (bar === undefined || bar.getTotal() !== total) {
        end();
        bar = new SingleBar({
          format: '{id} {bar} {percentage} %, {done} of {all} documents, {rate}/s, {eta_formatted} left',
          stream: errorStream,
          hideCursor: true,
          clearOnComplete: true,
        });
        started = performance.now();
        bar.start(total, 0, { id, done: '0', all: count(total), rate: '0' });
      }
      bar.update(done, { id, done: count(done), all: count(total), rate: count(rateOf(done, started)) });
    },
    clear: () => {
      if (bar !== undefined) errorStream.write('\r\u001b[K');
    },
    end,
  };
}

function lineProgress({ printError }: CommandContext): Progress {
  let started = 0;
  let told = 0;
  return {
    show({ id }, done, total) {
      const now = performance.now();
      if (done === 0) {
        started = now;
        told = now;
      }
      if (now - told < LINE_INTERVAL) return;
      told = now;
      const percentage = total === 0 ? 100 : Math.floor((done * 100) / total);
      printError(
        `${id}: ${count(done)} of ${count(total)} documents (${percentage} %), ${count(rateOf(done, started))}/s`,
      );
    },
    clear() {},
    end() {},
  };
}

/** Per second. */
function rateOf(done: number, started: number): number {
  return (done * 1000) / Math.max(1, performance.now() - started);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
