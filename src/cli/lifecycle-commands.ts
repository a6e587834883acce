import type { LifecycleAdministration } from '../composition/lifecycle-administration.ts';
import { loadConfig } from '../config/config.ts';
import type { Command, CommandContext, ExitStatus } from './command.ts';
import { alignColumns, count, size } from './text-format.ts';

/** Commands for the generations of collections. With the embedded engine, stop the program first. */
export const LIFECYCLE_COMMANDS: readonly Command[] = [
  {
    name: 'lifecycle list',
    usage: '',
    summary: 'List the indices of all collections, with what each is.',
    flags: {},
    run: (context) =>
      withAdministration(context, async (administration) => {
        const rows = (await administration.list()).map((index) => {
          const begun = index.createdAt.toISOString().slice(0, 10);
          return [index.collection, index.name, count(index.documents), size(index.bytes), begun, index.state];
        });
        const heading = ['COLLECTION', 'INDEX', 'DOCUMENTS', 'SIZE', 'BEGUN', 'STATE'];
        for (const line of alignColumns([heading, ...rows])) context.print(line);
      }),
  },
  {
    name: 'lifecycle rollover',
    usage: 'COLLECTION',
    summary: 'Begin a new generation of a collection now.',
    flags: {},
    run: (context, _flags, collection) =>
      withAdministration(context, async (administration) => {
        context.print(`${await administration.rollOver(collection)} takes the new documents from now on.`);
      }),
  },
  {
    name: 'lifecycle delete-legacy',
    usage: 'COLLECTION',
    summary: 'Delete the index that a collection had before its lifecycle. Cannot be undone.',
    flags: {},
    run: (context, _flags, collection) =>
      withAdministration(context, async (administration) => {
        context.print(`${await administration.deleteLegacy(collection)} was deleted.`);
      }),
  },
];

async function withAdministration(
  context: CommandContext,
  work: (administration: LifecycleAdministration) => Promise<void>,
): Promise<ExitStatus> {
  const config = loadConfig({ environment: context.environment });
  const { openLifecycleAdministration } = await import('../composition/lifecycle-administration.ts');
  // The log goes to standard output, which belongs to the answer; what fails is thrown and told.
  const logger = context.createLogger('CRITICAL', config.logging.log_as_json);
  const administration = await openLifecycleAdministration(config, { logger });
  try {
    await work(administration);
  } finally {
    await administration.close();
  }
  return 0;
}
