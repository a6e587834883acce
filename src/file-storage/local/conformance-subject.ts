import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileStorageSubject } from '../conformance/index.ts';
import type { FileStorage } from '../file-storage.ts';
import { openLocalFileStorage } from './local-file-storage.ts';

/** The adapter as the conformance suite takes it, `wrap` round everything that it sees. */
export function localSubject(
  wrap: (storage: FileStorage, folder: string) => FileStorage = (it) => it,
): FileStorageSubject {
  return {
    name: 'local folder',
    async open() {
      const folder = await mkdtemp(join(tmpdir(), 'file-storage-'));
      const [storage, peer] = [
        wrap(await openLocalFileStorage({ folder }), folder),
        wrap(await openLocalFileStorage({ folder }), folder),
      ];
      return {
        storage,
        peer,
        damage: (sha256, bytes) => writeFile(join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256), bytes),
        async remains() {
          const entries = await readdir(folder, { recursive: true, withFileTypes: true });
          return entries.filter((entry) => !entry.isDirectory()).length;
        },
        async dispose() {
          await Promise.all([storage.close(), peer.close()]);
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
  };
}
