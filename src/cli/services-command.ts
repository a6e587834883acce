import { type Command, type CommandContext, type ExitStatus, loadCommandConfig } from './command.ts';
import { alignColumns, count } from './text-format.ts';

/** Lists the services that analyse files. It needs the data folder, as other commands do. */
export const servicesCommand: Command = {
  name: 'services',
  usage: '',
  summary: 'List the services that analyse files, with their state and what waits for them.',
  flags: {},
  run: listServices,
};

async function listServices(context: CommandContext): Promise<ExitStatus> {
  const config = loadCommandConfig(context);
  const logger = context.createLogger('ERROR', config.logging.log_as_json);
  const { openServices } = await import('../program.ts');
  const services = await openServices(config, { version: context.version, logger });
  try {
    const states = await services.analysis.overview.states();
    const rows = states.map(({ name, version, state, origin, stage, category, waiting, age, polled }) => [
      name,
      version,
      state,
      origin,
      stage,
      category,
      count(waiting),
      waiting === 0 ? '' : `${count(age)} s`,
      polled === undefined ? 'never' : `${count(polled)} s ago`,
    ]);
    const heading = ['SERVICE', 'VERSION', 'STATE', 'ORIGIN', 'STAGE', 'CATEGORY', 'WAITING', 'OLDEST', 'ASKED'];
    for (const line of alignColumns([heading, ...rows])) context.print(line);
    return 0;
  } finally {
    await services.close();
  }
}
