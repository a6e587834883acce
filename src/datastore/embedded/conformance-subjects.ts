import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatastoreSubject } from '../conformance/index.ts';
import type { Datastore } from '../port/datastore.ts';
import { openEmbeddedDatastore } from './embedded-datastore.ts';

const PREFIX = 'suite';

/** The adapter as the conformance suite takes it, `wrap` round everything that it sees. */
export function embeddedSubjects(wrap: (store: Datastore) => Datastore = (store) => store): {
  readonly memory: DatastoreSubject;
  readonly disk: DatastoreSubject;
} {
  const expectedCapabilities = { instantVisibility: true, serverSideLifecycle: false };
  const folders = new WeakMap<Datastore, string>();
  const openIn = async (folder: string): Promise<Datastore> => {
    const store = await openEmbeddedDatastore({ folder, prefix: PREFIX });
    const opened = wrap(store);
    folders.set(opened, folder);
    return opened;
  };
  return {
    memory: { name: 'embedded in memory', expectedCapabilities, open: () => openIn('memory') },
    disk: {
      name: 'embedded on disk',
      expectedCapabilities,
      open: async () => {
        const folder = await mkdtemp(join(tmpdir(), 'datastore-'));
        process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
        return openIn(folder);
      },
      reopen: async (store) => {
        await store.close();
        return openIn(folders.get(store) ?? '');
      },
    },
  };
}
