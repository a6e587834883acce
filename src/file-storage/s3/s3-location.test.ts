import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { s3Location } from './s3-location.ts';

describe('the address of a bucket', () => {
  it('names server, bucket and the folder in it', () => {
    assert.deepEqual(s3Location('https://files.example.com:9000/triad'), {
      endpoint: 'https://files.example.com:9000',
      bucket: 'triad',
      prefix: '',
      region: 'us-east-1',
      credentials: undefined,
    });
    const { endpoint, bucket, prefix } = s3Location('http://127.0.0.1:8333/a.bucket-1/kept/some%20files/');
    assert.deepEqual([endpoint, bucket, prefix], ['http://127.0.0.1:8333', 'a.bucket-1', 'kept/some files/']);
  });

  it('may hold the credentials, percent-encoded', () => {
    const { credentials, endpoint } = s3Location('https://key:s%2Fcret%40@host/bucket');
    assert.deepEqual(credentials, { accessKeyId: 'key', secretAccessKey: 's/cret@' });
    assert.equal(endpoint, 'https://host');
  });

  it('tells the region of Amazon, unless the settings name one', () => {
    assert.equal(s3Location('https://s3.eu-central-1.amazonaws.com/bucket').region, 'eu-central-1');
    assert.equal(s3Location('https://s3.amazonaws.com/bucket').region, 'us-east-1');
    assert.equal(s3Location('https://s3.eu-central-1.amazonaws.com/bucket', 'eu-west-3').region, 'eu-west-3');
  });

  it('is refused when it is none, without repeating what may be a secret', () => {
    for (const address of [
      'bucket',
      's3://bucket',
      'https://host',
      'https://host/',
      'https://host/UPPER',
      'https://host/ab',
      'https://host/bucket?region=x',
      'https://key@host/bucket',
      'ftp://key:hidden@host/bucket',
    ]) {
      assert.throws(
        () => s3Location(address),
        (error: Error & { code?: string }) =>
          error.code === 'invalid_setting' &&
          error.message.startsWith('files.url') &&
          !error.message.includes('hidden'),
        address,
      );
    }
  });
});
