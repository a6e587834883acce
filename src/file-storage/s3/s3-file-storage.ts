import { setMaxListeners } from 'node:events';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3';
import { isTriadError, messageOf, Unavailable } from '../../errors/errors.ts';
import {
  assertRange,
  assertSha256,
  closingOnFailure,
  fileMissing,
  givenStream,
  isSha256,
  portionOf,
  receiveContent,
} from '../file-content.ts';
import type { ByteRange, FileStorage, FileStorageLogger, StoredFile } from '../file-storage.ts';
import {
  abortOldUploads,
  connectS3,
  isMissing,
  NoAnswer,
  prepareBucket,
  s3Status,
  s3Unavailable,
} from './s3-bucket.ts';
import { s3Location } from './s3-location.ts';
import { PART_SIZE, upload } from './s3-upload.ts';
import { SpooledContent } from './spooled-content.ts';

export interface S3FileStorageOptions {
  /** `http[s]://[key:secret@]host[:port]/bucket[/prefix]`. Objects are `<prefix>/<sha256>`. */
  readonly url: string;
  /** Precede those of the address. Without either: AWS_ variables, AWS files, machine role. */
  readonly accessKey?: string | undefined;
  readonly secretKey?: string | undefined;
  /** Default: of an Amazon host name, else `us-east-1`. */
  readonly region?: string | undefined;
  /** Makes the bucket when it is missing. Default true. */
  readonly createBucket?: boolean;
  /** Milliseconds without a sign of life of the server until a request fails. Default 10,000. */
  readonly timeout?: number;
  /** Additional trusted authorities (PEM). */
  readonly certificates?: readonly string[];
  /** Folder for content over 5 MiB until its hash is known. Default: the system's temporary folder. */
  readonly spoolFolder?: string;
  readonly logger?: FileStorageLogger;
}

/**
 * Opens a bucket of an S3 server; throws `invalid_setting`, `file_storage_unavailable` with reasons.
 * Memory for one `put`: 5 MiB, for longer content 20 MiB; 50 GB is the most that goes.
 */
export async function openS3FileStorage(options: S3FileStorageOptions): Promise<FileStorage> {
  const { timeout = 10_000, logger, accessKey, secretKey, spoolFolder = tmpdir() } = options;
  const location = s3Location(options.url, options.region);
  const { bucket, prefix } = location;
  const client = connectS3(location, {
    credentials:
      accessKey === undefined || secretKey === undefined
        ? location.credentials
        : { accessKeyId: accessKey, secretAccessKey: secretKey },
    timeout,
    certificates: options.certificates ?? [],
    logger,
  });
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const keyOf = (sha256: string) => `${prefix}${sha256}`;

  /** Errors of the client as errors of the port; ours, and what the caller aborted with, stay. */
  const translate = (error: unknown): Error => {
    if (closing.signal.aborted) return closing.signal.reason;
    return isTriadError(error) ? error : s3Unavailable(location, error);
  };
  /** A request whose answer is short: all attempts together stay within the timeout. */
  const ask = async <T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    closing.signal.throwIfAborted();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeout);
    try {
      return await request(AbortSignal.any([deadline.signal, closing.signal]));
    } catch (error) {
      throw translate(deadline.signal.aborted ? new NoAnswer(timeout, { cause: error }) : error);
    } finally {
      clearTimeout(timer);
    }
  };
  /** Undefined when the range has no bytes: S3 does not give such ranges. */
  const get = (sha256: string, range: ByteRange | undefined) =>
    ask(async (signal) => {
      const Range = range === undefined ? undefined : rangeHeader(range);
      const command = new GetObjectCommand({ Bucket: bucket, Key: keyOf(sha256), Range });
      try {
        return await client.send(command, { abortSignal: signal });
      } catch (error) {
        if (isMissing(error)) throw fileMissing(sha256, error);
        if (s3Status(error) === 416) return undefined;
        throw error;
      }
    });
  const find = (sha256: string) =>
    ask(async (signal): Promise<StoredFile | undefined> => {
      try {
        const command = new HeadObjectCommand({ Bucket: bucket, Key: keyOf(sha256) });
        const { ContentLength = 0, LastModified = new Date(0) } = await client.send(command, { abortSignal: signal });
        return { sha256, size: ContentLength, storedAt: LastModified };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });

  try {
    const found = await ask((signal) =>
      prepareBucket(client, location, { create: options.createBucket ?? true, signal }),
    );
    if (found === 'made') logger?.info({ bucket }, 'made the bucket for files');
  } catch (error) {
    client.destroy();
    throw error;
  }
  // Not waited for: it concerns space alone.
  abortOldUploads(client, location).then(
    (aborted) => aborted > 0 && logger?.info({ bucket, aborted }, 'gave up uploads that were never finished'),
    (error) =>
      closing.signal.aborted || logger?.warn({ err: error, bucket }, 'unfinished uploads could not be looked for'),
  );

  return {
    put: (content, putOptions = {}) =>
      closingOnFailure(content, async () => {
        closing.signal.throwIfAborted();
        const { signal: callers } = putOptions;
        const signal = callers === undefined ? closing.signal : AbortSignal.any([callers, closing.signal]);
        const spooled = new SpooledContent(spoolFolder, PART_SIZE);
        try {
          const file = await receiveContent(content, { ...putOptions, signal }, (chunk) => spooled.write(chunk));
          const there = await find(file.sha256);
          signal.throwIfAborted();
          if (there?.size === file.size) return file;
          // An object of another size is the remains of an accident outside the program: it is replaced.
          const target = { client, bucket, key: keyOf(file.sha256), replace: there !== undefined };
          await upload(target, spooled, file, signal).catch((error) => {
            throw callers?.aborted ? callers.reason : translate(error);
          });
          return file;
        } finally {
          await spooled.discard();
        }
      }),

    async open(sha256, range) {
      assertSha256(sha256);
      if (range !== undefined) assertRange(range);
      const answer = range?.length === 0 ? undefined : await get(sha256, range);
      const size = answer === undefined ? (await find(sha256))?.size : sizeOf(answer);
      if (size === undefined) throw fileMissing(sha256);
      const portion = portionOf(size, range);
      const source = answer === undefined ? Readable.from([]) : answer.Body;
      if (!(source instanceof Readable)) throw translate(new Error('its answer has no content'));
      const stream = givenStream(source, sha256, portion, translate);
      const end = () => stream.destroy(closing.signal.reason);
      closing.signal.addEventListener('abort', end, { once: true });
      stream.once('close', () => closing.signal.removeEventListener('abort', end));
      return { stream, size, length: portion.length };
    },

    async stat(sha256) {
      assertSha256(sha256);
      return find(sha256);
    },

    async delete(sha256) {
      assertSha256(sha256);
      await ask((signal) =>
        client
          .send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(sha256) }), { abortSignal: signal })
          .catch((error) => {
            if (!isMissing(error)) throw error;
          }),
      );
    },

    async *list({ after = '' } = {}) {
      if (after !== '') assertSha256(after);
      let last = after === '' ? undefined : keyOf(after);
      for (;;) {
        const page = await ask((signal) =>
          client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, StartAfter: last, MaxKeys: 1000 }), {
            abortSignal: signal,
          }),
        );
        const files = (page.Contents ?? []).flatMap(
          ({ Key = '', Size = 0, LastModified = new Date(0) }): StoredFile[] => {
            const sha256 = Key.slice(prefix.length);
            return isSha256(sha256) ? [{ sha256, size: Size, storedAt: LastModified }] : [];
          },
        );
        if (files.length > 0) yield files;
        last = page.Contents?.at(-1)?.Key;
        if (page.IsTruncated !== true || last === undefined) return;
      }
    },

    async health() {
      try {
        await ask((signal) => prepareBucket(client, location, { create: false, signal }));
        return { ok: true, detail: '' };
      } catch (error) {
        return { ok: false, detail: messageOf(error) };
      }
    },

    async close() {
      if (closing.signal.aborted) return;
      closing.abort(
        new Unavailable('file_storage_unavailable', 'The file storage is closed: the program is shutting down.'),
      );
      client.destroy();
    },
  };
}

function rangeHeader({ offset, length }: ByteRange): string {
  return `bytes=${offset}-${length === undefined ? '' : offset + length - 1}`;
}

/** Size of the whole object, also when the answer is a part of it. */
function sizeOf({ ContentLength = 0, ContentRange = '' }: GetObjectCommandOutput): number {
  const total = /\/(\d+)$/.exec(ContentRange)?.[1];
  return total === undefined ? ContentLength : Number(total);
}
