import { parentPort } from 'node:worker_threads';
import { encryptZip, type ZipKeys } from '../formats/zip-cipher.ts';

/** A call of the thread that encrypts archives; the keys come back as they are after the chunk. */
export interface ZipCall {
  readonly chunk: Uint8Array<ArrayBuffer>;
  readonly keys: ZipKeys;
}

parentPort?.on('message', ({ call, chunk, keys }: ZipCall & { readonly call: number }) => {
  encryptZip(chunk, keys);
  parentPort?.postMessage({ call, result: { chunk, keys } }, [chunk.buffer]);
});
