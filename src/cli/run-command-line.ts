import { isTriadError } from '../errors/errors.ts';
import { CLASSIFICATION_COMMANDS } from './classification-commands.ts';
import { type Command, type CommandContext, type ExitStatus, WrongUse } from './command.ts';
import { helpText, readCommandLine } from './command-line.ts';
import { LIST_COMMANDS } from './enrichment/list-commands.ts';
import { importCommand } from './import-command.ts';
import { JOB_COMMANDS } from './job-commands.ts';
import { LIFECYCLE_COMMANDS } from './lifecycle-commands.ts';
import { migrateCommand } from './migrate-command.ts';
import { reindexCommand } from './reindex-command.ts';
import { REPLAY_COMMANDS } from './replay/replay-command.ts';
import { SCAFFOLD_COMMANDS } from './scaffold-commands.ts';
import { serveCommand } from './serve-command.ts';
import { servicesCommand } from './services-command.ts';
import { SOURCE_COMMANDS } from './sources/source-commands.ts';
import { submitCommand } from './submit-command.ts';
import { USER_COMMANDS } from './user-commands.ts';

/** Every command; the first is meant when none is named. */
export const COMMANDS: readonly Command[] = [
  serveCommand,
  ...USER_COMMANDS,
  importCommand,
  migrateCommand,
  reindexCommand,
  ...REPLAY_COMMANDS,
  ...JOB_COMMANDS,
  ...LIST_COMMANDS,
  ...SOURCE_COMMANDS,
  servicesCommand,
  submitCommand,
  ...LIFECYCLE_COMMANDS,
  ...CLASSIFICATION_COMMANDS,
  ...SCAFFOLD_COMMANDS,
];

/** Runs what the command line asks for, and tells a person in a sentence when that cannot be. */
export async function runCommandLine(context: CommandContext, given: readonly string[]): Promise<ExitStatus> {
  try {
    const request = readCommandLine(COMMANDS, given);
    if (request.kind === 'help') context.print(helpText(request.commands));
    else if (request.kind === 'version') context.print(context.version);
    else return await request.command.run(context, request.flags, request.argument, request.all);
    return 0;
  } catch (error) {
    if (error instanceof WrongUse) {
      context.printError(`${error.message} See triad --help.`);
      return 2;
    }
    if (isTriadError(error)) {
      context.printError(error.message);
      return SETTING_ERRORS.has(error.code) ? 2 : 1;
    }
    context.printError(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }
}

/** Codes of mistakes in the command line or the settings. */
const SETTING_ERRORS: ReadonlySet<string> = new Set([
  'unknown_setting',
  'invalid_setting',
  'unknown_collection',
  'demo_off_loopback',
]);
