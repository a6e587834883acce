import { randomUUID } from 'node:crypto';
import {
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { outsideServer } from '../../testing/servers/outside-servers.ts';
import type { FileStorageSubject } from '../conformance/index.ts';
import { openS3FileStorage } from './s3-file-storage.ts';

export const TEST_KEYS = { accessKey: 'testkey', secretKey: 'testsecret' };

/** The adapter on the real server, in a bucket of its own. */
export function s3Subject(prefix = ''): FileStorageSubject {
  const { url, unavailable } = outsideServer('s3');
  return {
    name: prefix === '' ? 'S3' : `S3 below ${prefix}`,
    unavailable,
    async open() {
      const bucket = testBucket(url);
      const options = { ...TEST_KEYS, url: `${url}/${bucket.name}/${prefix}` };
      const storage = await openS3FileStorage(options);
      const peer = await openS3FileStorage(options);
      return {
        storage,
        peer,
        damage: (sha256, bytes) => bucket.write(`${prefix}${sha256}`, bytes),
        remains: async () => (await bucket.keys()).length + (await bucket.uploads()),
        async dispose() {
          await Promise.all([storage.close(), peer.close()]);
          await bucket.remove();
        },
      };
    },
  };
}

/** A bucket of a test's own, seen past the adapter. */
export function testBucket(endpoint: string) {
  const name = `triad-test-${randomUUID()}`;
  const Bucket = name;
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: TEST_KEYS.accessKey, secretAccessKey: TEST_KEYS.secretKey },
  });
  const keys = async () => {
    const { Contents: contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    return contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
  };
  return {
    name,
    client,
    keys,
    async write(key: string, bytes: Uint8Array) {
      await client.send(new PutObjectCommand({ Bucket, Key: key, Body: bytes }));
    },
    async uploads() {
      return (await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads?.length ?? 0;
    },
    async remove() {
      for (let some = await keys(); some.length > 0; some = await keys()) {
        await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: some.map((Key) => ({ Key })) } }));
      }
      await client.send(new DeleteBucketCommand({ Bucket }));
      client.destroy();
    },
  };
}
