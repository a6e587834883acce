import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { CollectionLifecycle } from '../datastore/bootstrap/collection-lifecycle.ts';
import { ALL_DOCUMENTS } from '../documents/all-documents.ts';
import { openDatastore } from './open-adapters.ts';

/** Manual operations on the generations of a collection. */
export type LifecycleAdministration = Awaited<ReturnType<typeof openLifecycleAdministration>>;

/** @throws as `openDatastore` */
export async function openLifecycleAdministration(config: Config, options: { readonly logger: Logger }) {
  const datastore = await openDatastore(config, options);
  const lifecycle = new CollectionLifecycle(
    datastore.admin,
    ALL_DOCUMENTS.map(({ name }) => name),
  );
  return {
    list: () => lifecycle.list(),
    rollOver: (collection: string) => lifecycle.rollOver(collection),
    deleteLegacy: (collection: string) => lifecycle.deleteLegacy(collection),
    close: () => datastore.close(),
  };
}
