import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { PutFile } from '../file-storage.ts';
import { NoAnswer, s3ErrorNames, s3Status } from './s3-bucket.ts';
import type { SpooledContent } from './spooled-content.ts';

/** Bytes sent from memory by one request; longer content goes in parts of this size, the S3 minimum. */
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

/** Sends content unless it is there, visible when complete; gives sent parts up on errors and `signal`. */
export async function upload(
  target: S3Target,
  content: SpooledContent,
  file: PutFile,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { bytes } = content;
      await (bytes === undefined
        ? uploadInParts(target, content, file, signal)
        : uploadAtOnce(target, bytes, file, signal));
      return;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const names = s3ErrorNames(error);
      // The object is there.
      if (s3Status(error) === 412 || names.includes('PreconditionFailed')) return;
      if (!names.includes('ConditionalRequestConflict') || attempt === CONFLICT_ATTEMPTS) throw error;
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

/** Sends parts from reused buffers; the vendor's multipart upload takes several times the memory. */
async function uploadInParts(
  { client, bucket, key, replace }: S3Target,
  content: SpooledContent,
  { size }: PutFile,
  signal: AbortSignal,
): Promise<void> {
  const object = { Bucket: bucket, Key: key };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object), { abortSignal: signal });
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const parts = Array.from({ length: Math.ceil(size / PART_SIZE) }, (_, index) => ({
    PartNumber: index + 1,
    ETag: '',
  }));
  const waiting = parts.values();
  const sendParts = async () => {
    const buffer = Buffer.allocUnsafe(PART_SIZE);
    for (const part of waiting) {
      const Body = await content.read((part.PartNumber - 1) * PART_SIZE, buffer);
      const request = { ...object, UploadId, PartNumber: part.PartNumber, Body, ContentLength: Body.byteLength };
      const { ETag = '' } = await client.send(new UploadPartCommand(request), { abortSignal: stop });
      part.ETag = ETag;
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(PARTS_AT_ONCE, parts.length) }, sendParts));
    const whole = { ...object, UploadId, MultipartUpload: { Parts: parts }, ...(replace ? {} : { IfNoneMatch: '*' }) };
    await client.send(new CompleteMultipartUploadCommand(whole), { abortSignal: signal });
  } catch (error) {
    failed.abort();
    const givenUp = client.send(new AbortMultipartUploadCommand({ ...object, UploadId })).catch(() => undefined);
    // A server that does not answer would be waited for twice. What it keeps is given up by a later start.
    if (!(error instanceof NoAnswer)) await givenUp;
    throw error;
  }
}
