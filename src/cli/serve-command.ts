import { once } from 'node:events';
import { loadConfig } from '../config/config.ts';
import { collectWhenIdle } from '../garbage-collection/garbage-collection.ts';
import type { DemoKind, Program } from '../program.ts';
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
    const { ignored_variables: variables, ignored_settings: settings } = config;
    if (variables.length > 0) {
      logger.warn({ variables }, 'variables of an orchestrator are ignored: they are not settings');
    }
    if (settings.length > 0) {
      logger.warn({ settings }, 'settings of Howler without a meaning here are ignored (docs/configuration.md)');
    }
    const { startProgram } = await import('../program.ts');
    const program = await startProgram(config, { version: context.version, demo, logger, signal: context.ending });
    if (program.firstAdministrator !== undefined && !context.terminal) {
      const { username, password } = program.firstAdministrator;
      context.printError(
        `There were no users. The administrator "${username}" was made with the password ${password} (shown once).`,
      );
    }
    if (context.terminal) {
      const lines = banner(program, context.version, demo === undefined ? [] : await program.demoUsers());
      // The log writes its lines at the end of the turn.
      setImmediate(() => lines.forEach(context.print));
    }
    const collection = collectWhenIdle();
    if (!context.ending.aborted) await once(context.ending, 'abort');
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

/** Path of the reference of each service. */
const REFERENCES: Readonly<Record<string, string>> = {
  alerts: '/api/docs',
  analysis: '/help/api',
  enrichment: '/api/docs',
};

/** Returns the start message on a terminal: addresses, how to sign in, location of the documentation. */
function banner(program: Program, version: string, demoUsers: readonly string[]): readonly string[] {
  const { addresses, firstAdministrator } = program;
  // A process without the component http has only health checks, metrics and perhaps websockets.
  const isServing = addresses.analysis !== undefined;
  const services = Object.entries(REFERENCES).flatMap(([service, page]) => {
    const address = addresses[service];
    if (address === undefined) return [];
    return [
      `  ${service.padEnd(11)} ${address}   ${isServing ? 'reference' : 'health'}: ${address}${isServing ? page : '/healthz/'}`,
    ];
  });
  return [
    '',
    `Triad ${version} is ready.`,
    '',
    ...(addresses.web === undefined ? [] : [`  ${'web'.padEnd(11)} ${addresses.web}`]),
    ...services,
    '',
    ...(isServing ? [`  sign in     ${signInHint(firstAdministrator, demoUsers)}`] : []),
    '  manual      docs/operating.md, settings: docs/configuration.md',
    '  stop        Ctrl+C',
    '',
  ];
}

function signInHint(first: Program['firstAdministrator'], demoUsers: readonly string[]): string {
  if (first !== undefined) return `as "${first.username}" with the password ${first.password} (shown once)`;
  const [name] = demoUsers;
  if (name === undefined) return 'with your account; "npm run triad -- user create NAME --random" creates one';
  return `as "${name}" with the password "${name}", or the API key ${name}:devkey:${name}; demo users: ${demoUsers.join(', ')}`;
}

function demoKind(flags: FlagValues): DemoKind | undefined {
  const value = flags.demo?.at(-1);
  if (value === undefined) return undefined;
  if (value === '' || value === 'all') return 'all';
  if (value === 'users') return 'users';
  throw new WrongUse(`--demo=${value} is not known. Allowed: --demo, --demo=users.`);
}
