import { loadConfig } from '../config/config.ts';
import type { Command } from './command.ts';
import { count } from './text-format.ts';

/** Commands for the classification definition. No process of the installation may be running. */
export const CLASSIFICATION_COMMANDS: readonly Command[] = [
  {
    name: 'classification change',
    usage: '',
    summary: 'Make the classification.yml of the configuration that of the installation. Stop every process before.',
    flags: {},
    async run(context) {
      const config = loadConfig({ environment: context.environment });
      const [{ openMigrationContext }, { accessFieldsOfNewDefinition }] = await Promise.all([
        import('../composition/migration-context.ts'),
        import('../migrations/steps/access-fields-from-classification.ts'),
      ]);
      const { datastore, classificationRecord, close } = await openMigrationContext(config, {
        // The log goes to standard output, which belongs to the answer.
        logger: context.createLogger('CRITICAL', config.logging.log_as_json),
        signal: context.ending,
        onWait: () => context.printError(`Waiting for another process that uses ${config.data_folder}.`),
        check: false,
      });
      try {
        const differences = await classificationRecord.differences();
        if (differences.length === 0) {
          context.print('The definition is that of the installation. There is nothing to change.');
          return 0;
        }
        const changed = await accessFieldsOfNewDefinition({
          datastore,
          classification: classificationRecord.engine,
          progress: () => {},
          warn: (message) => context.printError(`WARNING: ${message}`),
          signal: context.ending,
        });
        // Last, so that an interrupted change is done again.
        await classificationRecord.replace();
        context.print(
          `The definition of the installation is changed in ${differences.join(', ')}. ${count(changed)} alerts, events and cases have new access. Check what users may see: their classifications stay as they are.`,
        );
        return 0;
      } finally {
        await close();
      }
    },
  },
];
