import { Agent } from 'node:https';
import { getCACertificates } from 'node:tls';
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import type { FileStorageLogger } from '../file-storage.ts';
import { NoAnswer, s3ErrorNames } from './s3-errors.ts';
import type { S3Location } from './s3-location.ts';

export interface S3ClientOptions {
  readonly credentials: S3Location['credentials'];
  /** Milliseconds without a sign of life of the server. */
  readonly timeout: number;
  /** Additional trusted authorities (PEM). */
  readonly certificates: readonly string[];
  readonly logger: FileStorageLogger | undefined;
}

/** Age in milliseconds at which unfinished uploads are aborted. */
const GIVEN_UP_AFTER = 24 * 3_600_000;

/**
 * A client that tries three times on broken connections, 429 and 5xx, and addresses buckets by path,
 * which every server knows.
 */
export function connectS3(location: S3Location, options: S3ClientOptions): S3Client {
  const { timeout, certificates, logger } = options;
  const trusted = certificates.length === 0 ? {} : { ca: [...getCACertificates('default'), ...certificates] };
  const client = new S3Client({
    endpoint: location.endpoint,
    region: location.region,
    forcePathStyle: true,
    maxAttempts: 3,
    // Checksums that older servers do not know; the content's own SHA-256 is sent instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: timeout,
      socketTimeout: timeout,
      // Requests beyond these wait for a connection, which is no reason for a warning.
      socketAcquisitionWarningTimeout: 2 ** 31 - 1,
      httpsAgent: new Agent({ keepAlive: true, maxSockets: 50, ...trusted }),
    },
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    ...(logger === undefined ? {} : { logger: quiet(logger) }),
  });
  client.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        throw s3ErrorNames(error).includes('TimeoutError') ? new NoAnswer(timeout, { cause: error }) : error;
      }
    },
    { step: 'deserialize', priority: 'low', name: 'noAnswer' },
  );
  return client;
}

/**
 * Makes sure that the bucket can be listed.
 * Makes it when it is missing and `create` allows it. Rejects with the client's errors.
 */
export async function prepareBucket(
  client: S3Client,
  { bucket, prefix }: S3Location,
  { create, signal }: { readonly create: boolean; readonly signal: AbortSignal },
): Promise<'found' | 'made'> {
  const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 });
  try {
    await client.send(list, { abortSignal: signal });
    return 'found';
  } catch (error) {
    if (!create || !s3ErrorNames(error).includes('NoSuchBucket')) throw error;
  }
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }), { abortSignal: signal });
  } catch (error) {
    // Another process was faster.
    if (!s3ErrorNames(error).some((name) => /^BucketAlready(OwnedByYou|Exists)$/.test(name))) throw error;
  }
  await client.send(list, { abortSignal: signal });
  return 'made';
}

/**
 * Aborts multipart uploads that a killed process left at least a day ago; their invisible parts cost
 * space.
 */
export async function abortOldUploads(client: S3Client, { bucket, prefix }: S3Location): Promise<number> {
  const { Uploads: uploads = [] } = await client.send(
    new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }),
  );
  let aborted = 0;
  for (const { Key, UploadId, Initiated } of uploads) {
    if (Initiated === undefined || Date.now() - Initiated.getTime() < GIVEN_UP_AFTER) continue;
    await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
    aborted += 1;
  }
  return aborted;
}

/** Passes only the client's warnings on to operators. */
function quiet(logger: FileStorageLogger) {
  return {
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: (...words: unknown[]) => logger.warn({ words: words.map(String) }, 'the S3 client warns'),
    error: (...words: unknown[]) => logger.warn({ words: words.map(String) }, 'the S3 client reports an error'),
  };
}
