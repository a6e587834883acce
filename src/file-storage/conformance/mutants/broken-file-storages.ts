import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { TooLarge } from '../../../errors/errors.ts';
import type { BrokenAdapter } from '../../../testing/run-broken-adapter.ts';
import type { FileContent, FileStorage, PutOptions } from '../../file-storage.ts';
import { sha256Of } from '../subject.ts';

export interface BrokenFileStorage extends BrokenAdapter {
  readonly area: 'content' | 'refusals' | 'together';
  /** `folder`: where the sound one keeps its files. */
  break(sound: FileStorage, folder: string): Partial<FileStorage>;
}

/**
 * Adapters with one fault each, made from the one in a folder.
 * The suite is worth something as long as it fails on every one.
 */
export const BROKEN_FILE_STORAGES: Record<string, BrokenFileStorage> = {
  'hash-of-first-chunk': {
    fault: 'the hash is that of the first chunk',
    area: 'content',
    noticedBy: 'gives back what was put, under the SHA-256 of the whole content, to every process',
    break: (sound) => ({
      async put(content, options) {
        const bytes = await collect(content);
        const put = await sound.put(bytes, options);
        return { ...put, sha256: sha256Of(bytes.subarray(0, 64)) };
      },
    }),
  },
  'range-one-longer': {
    fault: 'a range ends one byte too late',
    area: 'content',
    noticedBy: 'gives the range that is asked for, cut off at the end',
    break: (sound) => ({
      open: (sha256, range) =>
        sound.open(sha256, range?.length === undefined ? range : { ...range, length: range.length + 1 }),
    }),
  },
  'damage-unseen': {
    fault: 'damaged bytes are given out as sound',
    area: 'content',
    noticedBy: 'does not end a read of damaged bytes as if they were sound',
    break: (sound) => ({
      // A range is not hashed.
      open: async (sha256, range) => {
        const file = await sound.stat(sha256);
        return sound.open(sha256, range ?? (file && file.size > 1 ? { offset: 1 } : undefined));
      },
    }),
  },
  'short-file-kept': {
    fault: 'content is not written again when its file has lost its end',
    area: 'content',
    noticedBy: 'replaces a file that has lost its end when the content is put again',
    break: (sound) => ({
      async put(content, options) {
        const bytes = await collect(content);
        const put = { sha256: sha256Of(bytes), size: bytes.length };
        return (await sound.stat(put.sha256)) === undefined ? sound.put(bytes, options) : put;
      },
    }),
  },
  'missing-is-empty': {
    fault: 'a file that is not there reads as an empty one',
    area: 'content',
    noticedBy: 'forgets what was deleted, and takes it again',
    break: (sound) => ({
      open: async (sha256, range) =>
        (await sound.stat(sha256)) === undefined
          ? { stream: Readable.from([]), size: 0, length: 0 }
          : sound.open(sha256, range),
    }),
  },
  'limit-afterwards': {
    fault: 'the limit is looked at when everything has come',
    area: 'refusals',
    noticedBy: 'refuses content that is longer than the limit, as soon as it is',
    break: (sound) => ({
      async put(content, { limit, ...options } = {}) {
        if (limit === undefined) return sound.put(content, options);
        const bytes = await collect(content);
        if (bytes.length > limit) throw new TooLarge('file_too_large', 'too large');
        return sound.put(bytes, options);
      },
    }),
  },
  'announced-hash-ignored': {
    fault: 'the announced hash is not compared',
    area: 'refusals',
    noticedBy: 'refuses content that is not what it is said to be',
    break: (sound) => ({ put: (content, { expected: _, ...options } = {}) => sound.put(content, options) }),
  },
  'part-stays': {
    fault: 'a write that failed leaves its part behind',
    area: 'refusals',
    noticedBy: 'passes on the failure of a source, closes it, and keeps nothing of it',
    break: (sound, folder) => ({
      put: (content, options) =>
        sound.put(content, options).catch(async (error) => {
          await writeFile(join(folder, 'incoming', 'part'), 'x');
          throw error;
        }),
    }),
  },
  'abort-ignored': {
    fault: 'an abort has no effect',
    area: 'refusals',
    noticedBy: 'stops when it is aborted, also while the source gives nothing, and keeps nothing',
    break: (sound) => ({ put: (content, { signal: _, ...options } = {}) => sound.put(content, options) }),
  },
  'part-visible': {
    fault: 'the beginning of a file is seen while the rest comes',
    area: 'refusals',
    noticedBy: 'shows nothing of a file before it is whole',
    break: (sound) => ({
      put(content: FileContent, options?: PutOptions) {
        if (content instanceof Uint8Array) return sound.put(content, options);
        return sound.put(storingTheBeginning(content, sound), options);
      },
    }),
  },
  'refusal-deletes': {
    fault: 'a refused put deletes the file of that content',
    area: 'refusals',
    noticedBy: 'keeps what was there when the same content fails or is aborted',
    break: (sound) => ({
      put: (content, options) =>
        sound.put(content, options).catch(async (error) => {
          if (content instanceof Uint8Array) await sound.delete(sha256Of(content));
          throw error;
        }),
    }),
  },
  'any-name': {
    fault: 'names in capitals are taken for the file',
    area: 'refusals',
    noticedBy: 'takes nothing for a SHA-256 that is none',
    break: (sound) => ({ stat: (sha256) => sound.stat(sha256.toLowerCase()) }),
  },
  'open-after-close': {
    fault: 'it works on after it was closed',
    area: 'refusals',
    noticedBy: 'is well while it is open; closed, everything is refused and streams fail',
    break: () => ({ close: async () => undefined }),
  },
  'written-again': {
    fault: 'the same content is written again',
    area: 'together',
    noticedBy: 'writes content once: the first time stays',
    break: (sound) => ({
      async put(content, options) {
        const bytes = await collect(content);
        await sound.delete(sha256Of(bytes));
        return sound.put(bytes, options);
      },
    }),
  },
  'batch-loses-one': {
    fault: 'the list leaves out the first file of its second batch',
    area: 'together',
    noticedBy: 'lists every file once, in order, in batches, and continues after any of them',
    break: (sound) => ({
      async *list(options) {
        let batches = 0;
        for await (const batch of sound.list(options)) {
          batches += 1;
          yield batches === 2 ? batch.slice(1) : batch;
        }
      },
    }),
  },
};

/** `sound` with the methods that `broken` has. */
export function brokenFileStorage(broken: BrokenFileStorage, sound: FileStorage, folder: string): FileStorage {
  return { ...sound, ...broken.break(sound, folder) };
}

async function collect(content: FileContent): Promise<Buffer> {
  return content instanceof Uint8Array ? Buffer.from(content) : Buffer.concat(await Array.fromAsync(content));
}

async function* storingTheBeginning(content: AsyncIterable<Uint8Array>, storage: FileStorage) {
  let first = true;
  for await (const chunk of content) {
    if (first) await storage.put(chunk);
    first = false;
    yield chunk;
  }
}
