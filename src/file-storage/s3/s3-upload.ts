import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { PutFile } from '../file-storage.ts';
import { s3ErrorNames, s3Status } from './s3-errors.ts';
import type { SpooledContent } from './spooled-content.ts';

/** Content up to this many bytes is held in memory and sent by one request; what is longer goes in parts of this size, the least that S3 takes. */
export const PART_SIZE = 5 * 1024 * 1024;
/** Parts on their way at once: together with the size of a part the memory that an upload takes. */
const PARTS_AT_ONCE = 4;
/** Two processes that finish the same file at the same moment may be told to try again. */
const CONFLICT_ATTEMPTS = 5;

export interface S3Target {
  readonly client: S3Client;
  readonly bucket: string;
  readonly key: string;
  /** Also over an object that is there. */
  readonly replace: boolean;
}

/**
 * Sends content to its place. The server makes the object visible when it has all of it; one that is there already is left alone.
 * Rejects with the client's errors and what `signal` was aborted with; parts that were sent are given up.
 */
export async function upload(
  target: S3Target,
  content: SpooledContent,
  file: PutFile,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { bytes } = content;
      await (bytes === undefined ? uploadInParts(target, content, signal) : uploadAtOnce(target, bytes, file, signal));
      return;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (isThere(error)) return;
      if (!isConflict(error) || attempt === CONFLICT_ATTEMPTS) throw error;
    }
  }
}

async function uploadAtOnce(
  { client, bucket, key, replace }: S3Target,
  bytes: Uint8Array,
  { sha256, size }: PutFile,
  signal: AbortSignal,
): Promise<void> {
  await client.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: bytes,
      ContentLength: size,
      // The server refuses bytes that were changed on the way.
      ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
      ...(replace ? {} : { IfNoneMatch: '*' }),
    }),
    { abortSignal: signal },
  );
}

async function uploadInParts(
  { client, bucket, key, replace }: S3Target,
  content: SpooledContent,
  signal: AbortSignal,
): Promise<void> {
  const stream = content.stream();
  const parts = new Upload({
    client,
    partSize: PART_SIZE,
    queueSize: PARTS_AT_ONCE,
    params: { Bucket: bucket, Key: key, Body: stream, ...(replace ? {} : { IfNoneMatch: '*' }) },
  });
  const abort = () => void parts.abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    if (signal.aborted) throw signal.reason;
    await parts.done();
  } finally {
    signal.removeEventListener('abort', abort);
    stream.destroy();
  }
}

function isThere(error: unknown): boolean {
  return s3Status(error) === 412 || s3ErrorNames(error).includes('PreconditionFailed');
}

function isConflict(error: unknown): boolean {
  return s3ErrorNames(error).includes('ConditionalRequestConflict');
}
