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
