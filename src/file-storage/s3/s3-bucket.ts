import { Agent } from 'node:https';
import { getCACertificates } from 'node:tls';
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { messageOf, Unavailable } from '../../errors/errors.ts';
import type { FileStorageLogger } from '../file-storage.ts';
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

/** Creates a client with path addressing and three attempts on broken connections, 429 and 5xx. */
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

/** Checks that the bucket can be listed, and makes a missing one if `create` allows it. */
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

/** Aborts multipart uploads of killed processes after a day; their invisible parts cost space. */
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

/** Explanations for operators, by the server's error code. */
const CURES: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'it does not know the access key. Check files.access_key.',
  SignatureDoesNotMatch: 'the secret key does not belong to the access key. Check files.secret_key.',
  AccessDenied:
    'it denies access. Give the access key the right to list the bucket and to read, write and delete in it.',
  Forbidden: 'it denies access. Check the access key and its rights.',
  ExpiredToken: 'the session of the credentials has ended.',
  CredentialsProviderError:
    'there are no credentials. Set files.access_key and files.secret_key, or the AWS_ variables.',
  NoSuchBucket: 'the bucket does not exist. Make it, or set files.create_bucket.',
  RequestTimeTooSkewed: 'the clocks of this machine and of the server differ. Set them.',
  AuthorizationHeaderMalformed: 'it expects another region. Set files.region.',
  PermanentRedirect: 'the bucket lies in another region. Set files.region.',
  QuotaExceeded: 'its quota is used up.',
  ENOTFOUND: 'the name of its host is not known.',
  ECONNREFUSED: 'nothing listens there.',
  ECONNRESET: 'it closed the connection.',
  EPIPE: 'it closed the connection.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is signed by an authority that is not trusted. Put that into cert_directory.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed and not trusted. Put it into cert_directory.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified. Put its authority into cert_directory.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate cannot be verified. Put its authority into cert_directory.',
  CERT_HAS_EXPIRED: 'its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host.',
};

/** The fields of an error of the client, the server or the connection. */
export function s3ErrorNames(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const code = 'Code' in error ? error.Code : undefined;
  const systemCode = 'code' in error ? error.code : undefined;
  return [code, error.name, systemCode].filter((name) => typeof name === 'string');
}

/** HTTP status of the server's answer, if there was one. */
export function s3Status(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  return (error.$metadata as { readonly httpStatusCode?: number } | undefined)?.httpStatusCode;
}

export function isMissing(error: unknown): boolean {
  return s3ErrorNames(error).some((name) => name === 'NoSuchKey' || name === 'NotFound');
}

export function s3Unavailable({ endpoint, bucket }: S3Location, cause: unknown): Unavailable {
  const cure = s3ErrorNames(cause)
    .map((name) => CURES[name])
    .find((words) => words !== undefined);
  const status = s3Status(cause);
  const said = messageOf(cause);
  const answered = status === undefined ? `${said}.` : `it answered ${status}: ${said}.`;
  const message = `The bucket ${bucket} at ${endpoint} cannot be used: ${cure ?? answered}`;
  return new Unavailable('file_storage_unavailable', message, { cause, retryAfter: 5 });
}

/** A server that does not answer. The name keeps the client from doubling the wait by a retry. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(timeout: number, options?: ErrorOptions) {
    super(`it did not answer within ${timeout / 1000} s`, options);
  }
}
