import { defineDocument } from '../../documents/schema/document-definition.ts';
import { keyword } from '../../documents/schema/field-builders.ts';

/** That a migration of `run-test-migrations.ts` was run. */
export const runDocument = defineDocument({
  name: 'migration_run',
  title: 'MigrationRun',
  description: 'A run of a test.',
  idField: 'run_id',
  fields: { run_id: keyword('Identifier of the run.'), migration: keyword('Identifier of the migration.') },
});
