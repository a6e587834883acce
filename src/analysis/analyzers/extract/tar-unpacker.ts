import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { extract } from 'tar-stream';
import { type Extraction, messageOf } from './extraction.ts';

const LINKS: ReadonlySet<string> = new Set(['symlink', 'link']);
const FILES: ReadonlySet<string> = new Set(['file', 'contiguous-file']);

/** Unpacks a tar file. Links are named, devices and other special files left out. */
export async function unpackTar(path: string, extraction: Extraction): Promise<void> {
  const source = createReadStream(path);
  const tar = extract();
  source.once('error', (error) => tar.destroy(error));
  source.pipe(tar);
  try {
    for await (const entry of tar) {
      const { name, type, size = 0, linkname } = entry.header;
      const kind = type ?? 'file';
      const member = { name, isFolder: kind === 'directory', isHidden: false, size, compressed: undefined };
      if (!extraction.list(member) || extraction.exhausted !== undefined) break;
      if (LINKS.has(kind)) extraction.links.push(`${name} -> ${linkname ?? ''}`);
      else if (FILES.has(kind) && !extraction.isFull && extraction.allows(member)) {
        await extraction.add(name, 'tar', async (write) => {
          // Leaving the loop would end the whole archive, so a member beyond a limit is read to its end.
          let failure: { readonly error: unknown } | undefined;
          for await (const chunk of entry as AsyncIterable<Uint8Array>) {
            if (failure === undefined) await write(chunk).catch((error: unknown) => (failure = { error }));
          }
          if (failure !== undefined) throw (failure as { readonly error: unknown }).error;
        });
      }
      entry.resume();
    }
  } catch (error) {
    extraction.problems.push(messageOf(error));
    extraction.isUnlisted = extraction.listing.length === 0;
  } finally {
    source.destroy();
    tar.destroy();
  }
}

/** Returns true when the file is a tar file of a format that says so. */
export async function isTar(path: string): Promise<boolean> {
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(5), 0, 5, 257);
  return bytesRead === 5 && buffer.toString('latin1') === 'ustar';
}
