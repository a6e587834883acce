import { Readable } from 'node:stream';
import { ZipWriter } from '@zip.js/zip.js';

/**
 * Packs content into a zip archive of one member, encrypted in the old way that every program reads
 * (ZipCrypto), which keeps scanners from opening it and hides nothing.
 * @throws errors of the content's source
 */
export async function* encryptedZip(
  content: AsyncIterable<Uint8Array>,
  member: { readonly name: string; readonly password: string },
): AsyncIterable<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = new ZipWriter(writable, { useWebWorkers: false, bufferedWrite: false });
  const written = writer
    .add(member.name, Readable.toWeb(Readable.from(content)) as ReadableStream<Uint8Array>, {
      rawPassword: Buffer.from(member.password),
      zipCrypto: true,
      dataDescriptor: true,
      level: 6,
    })
    .then(() => writer.close());
  written.catch((error) => writable.abort(error).catch(() => undefined));
  yield* readable;
  await written;
}
