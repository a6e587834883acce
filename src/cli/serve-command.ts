import { loadConfig } from '../config/config.ts';
import { collectWhenIdle } from '../memory/idle-collection.ts';
import type { DemoKind } from '../program.ts';
import { type Command, type FlagValues, WrongUse } from './command.ts';

/** Milliseconds that open requests get to finish after the process was asked to end. */
const SHUTDOWN_TIMEOUT = 15_000;

export const serveCommand: Command = {
  name: 'serve',
  usage: '',
  summary: 'Serve until the process is asked to end. Default.',
  flags: {
    demo: {
      value: 'optional',
      description:
        'fill an empty data folder with demo users and records; --demo=users: the users alone. Loopback only.',
    },
  },
  async run(context, flags) {
    const demo = demoKind(flags);
    const config = loadConfig({ environment: context.environment });
    const logger = context.createLogger(config.logging.log_level, config.logging.log_as_json);
    const { startProgram } = await import('../program.ts');
    const program = await startProgram(config, { version: context.version, demo, logger, signal: context.ending });
    if (program.firstAdministrator !== undefined) {
      const { username, password } = program.firstAdministrator;
      context.printError(
        `There were no users. The administrator "${username}" was made with the password ${password} (shown once).`,
      );
    }
    const collection = collectWhenIdle();
    await new Promise<void>((resolve) => {
      if (context.ending.aborted) resolve();
      else context.ending.addEventListener('abort', () => resolve(), { once: true });
    });
    collection.stop();
    logger.info({}, 'stopping');
    const timer = setTimeout(() => {
      logger.error({}, `requests did not finish within ${SHUTDOWN_TIMEOUT} ms; their connections are cut`);
      program.cutConnections();
    }, SHUTDOWN_TIMEOUT);
    await program.close();
    clearTimeout(timer);
    logger.info({}, 'stopped');
    return 0;
  },
};

function demoKind(flags: FlagValues): DemoKind | undefined {
  const value = flags.demo?.at(-1);
  if (value === undefined) return undefined;
  if (value === '' || value === 'all') return 'all';
  if (value === 'users') return 'users';
  throw new WrongUse(`--demo=${value} is not known. Allowed: --demo, --demo=users.`);
}
