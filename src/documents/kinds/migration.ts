import { defineDocument } from '../schema/document-definition.ts';
import { date, enumeration, integer, keyword } from '../schema/field-builders.ts';

export const migrationDocument = defineDocument({
  name: 'migration',
  title: 'MigrationRecord',
  description: 'That a migration of the stored data runs or ran.',
  idField: 'migration_id',
  fields: {
    migration_id: keyword('Identifier of the migration, which never changes.'),
    status: enumeration('Whether it runs or is done.', ['running', 'applied']),
    started_at: date('When it was started.'),
    claim_id: keyword('Identifier of the process that runs it.').optionalNotEmpty(),
    applied_at: date('When it was done.').optional(),
    affected_documents: integer('Documents that it changed.', { minimum: 0 }).optionalNotEmpty(),
  },
});

export type Migration = typeof migrationDocument.Type;
