import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FileUse } from './file-use.ts';

const SHA256 = 'a'.repeat(64);
const FREE = async () => false;

function setUp() {
  const tokens = new Map<string, unknown>();
  const stored = new Set([SHA256]);
  const use = new FileUse({
    tokens: {
      put: async (key, value) => void tokens.set(key, value),
      get: async (key) => tokens.get(key),
      take: async (key) => tokens.get(key),
      remove: async (key) => tokens.delete(key),
      removeWithPrefix: async () => 0,
      async *scan() {},
    },
    storage: {
      stat: async (sha256) => (stored.has(sha256) ? { sha256, size: 1, storedAt: new Date() } : undefined),
      delete: async (sha256) => void stored.delete(sha256),
    },
  });
  return { use, stored, tokens };
}

describe('FileUse', () => {
  it('deletes content that is neither held nor referred to', async () => {
    const { use, stored, tokens } = setUp();
    assert.equal(await use.delete(SHA256, FREE), true);
    assert.equal(stored.size, 0);
    assert.equal(tokens.size, 0);
  });

  it('keeps content that a caller holds, or that a document refers to', async () => {
    const { use, stored } = setUp();
    assert.equal(await use.delete(SHA256, async () => true), false);
    const hold = await use.hold(SHA256);
    assert.equal(await use.delete(SHA256, FREE), false);
    assert.equal(stored.size, 1);
    const other = await use.hold(SHA256);
    assert.equal(await use.delete(SHA256, FREE, [hold]), false);
    assert.equal(await use.delete(SHA256, FREE, [other]), true);
  });

  it('lets one who holds during a deletion wait for it, and report that the content is gone', async () => {
    const { use } = setUp();
    let holding: Promise<unknown> = Promise.resolve();
    const isDeleted = await use.delete(SHA256, async () => {
      holding = assert.rejects(use.hold(SHA256), { code: 'file_deleted_meanwhile', kind: 'unavailable' });
      return false;
    });
    assert.equal(isDeleted, true);
    await holding;
  });

  it('holds content whose deletion was given up', async () => {
    const { use } = setUp();
    let holding: Promise<unknown> = Promise.resolve();
    await use.delete(SHA256, async () => {
      holding = use.hold(SHA256);
      return true;
    });
    await holding;
    assert.equal(await use.delete(SHA256, FREE), false);
  });

  it('lets one of two deletions work', async () => {
    const { use } = setUp();
    let second: boolean | undefined;
    assert.equal(
      await use.delete(SHA256, async () => {
        second = await use.delete(SHA256, FREE);
        return false;
      }),
      true,
    );
    assert.equal(second, false);
  });
});
