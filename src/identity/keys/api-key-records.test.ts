import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hash as bcryptHash } from '@node-rs/bcrypt';
import { hashApiKeySecret, newKey, verifyApiKeySecret } from './api-key-records.ts';

describe('secrets of API keys', () => {
  it('are 80 base32 characters, never the same', () => {
    const secrets = Array.from({ length: 100 }, () => newKey(['R'], undefined).secret);
    for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{80}$/);
    assert.equal(new Set(secrets).size, 100);
  });

  it('are stored as salted HMAC and verified against it', async () => {
    const stored = hashApiKeySecret('secret');
    assert.match(stored, /^hmac-sha256:[\w-]{43}:[\w-]{43}$/);
    assert.notEqual(hashApiKeySecret('secret'), stored);
    assert.equal(await verifyApiKeySecret('secret', stored), true);
    assert.equal(await verifyApiKeySecret('Secret', stored), false);
    assert.equal(await verifyApiKeySecret('', stored), false);
  });

  it('are verified against bcrypt of existing records', async () => {
    const stored = await bcryptHash('secret', { cost: 4 });
    assert.equal(await verifyApiKeySecret('secret', stored), true);
    assert.equal(await verifyApiKeySecret('other', stored), false);
  });

  it('never match what is not a hash', async () => {
    for (const stored of ['', 'secret', 'hmac-sha256', 'hmac-sha256::', 'hmac-sha256:a:b', '$2b$nonsense', 'a:b:c']) {
      assert.equal(await verifyApiKeySecret('secret', stored), false, stored);
      assert.equal(await verifyApiKeySecret('', stored), false, stored);
    }
  });
});
