import { InvalidInput } from '../errors/errors.ts';
import type { DataMigration } from './migration.ts';

/** Every migration, in the order in which they run. */
export const MIGRATIONS: readonly DataMigration[] = [
  {
    id: 'action-owner-id-to-owner',
    title: 'Actions: the owner moves from owner_id to owner',
    load: async () => (await import('./steps/action-owner-id-to-owner.ts')).actionOwnerIdToOwner,
  },
  {
    id: 'access-fields-from-classification',
    title: 'Alerts, events, cases: the hidden access fields of documents that lack them',
    load: async () => (await import('./steps/access-fields-from-classification.ts')).accessFieldsFromClassification,
  },
];

/**
 * Returns the migrations with these identifiers, in the order of the registry.
 * @throws InvalidInput `migration_unknown`, `migration_selected_twice`, `migration_selection_empty`
 */
export function selectMigrations(
  registry: readonly DataMigration[],
  ids: readonly string[] | 'all',
): readonly DataMigration[] {
  checkMigrations(registry);
  if (ids === 'all') return registry;
  rejectRepeated(ids);
  const unknown = ids.filter((id) => !registry.some((migration) => migration.id === id));
  if (unknown.length > 0) {
    const known = registry.map(({ id }) => id).join(', ');
    throw new InvalidInput(
      'migration_unknown',
      `No such migration: ${unknown.map((id) => id || '""').join(', ')}. There are: ${known}.`,
    );
  }
  const selected = registry.filter(({ id }) => ids.includes(id));
  checkMigrations(selected);
  return selected;
}

/** Throws `migration_selection_empty`, `migration_id_empty`, `migration_selected_twice`. */
export function checkMigrations(migrations: readonly DataMigration[]): void {
  const ids = migrations.map(({ id }) => id);
  if (ids.length === 0)
    throw new InvalidInput('migration_selection_empty', 'At least one migration has to be selected.');
  if (ids.some((id) => id.trim() === '')) {
    throw new InvalidInput('migration_id_empty', 'A registered migration has no identifier.');
  }
  rejectRepeated(ids);
}

/** @throws InvalidInput `migration_selected_twice` */
function rejectRepeated(ids: readonly string[]): void {
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  if (repeated.size > 0) {
    throw new InvalidInput('migration_selected_twice', `Selected more than once: ${[...repeated].join(', ')}.`);
  }
}
