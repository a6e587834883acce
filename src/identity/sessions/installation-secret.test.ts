import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { installationSecret } from './installation-secret.ts';

describe('the secret of an installation', () => {
  it('is made once, by anyone who asks first, and is long', async () => {
    const coordination = await openEmbeddedCoordination({ folder: 'memory' });
    try {
      const processes = Array.from({ length: 5 }, () => installationSecret({ coordination, configured: undefined }));
      const secrets = await Promise.all(processes.flatMap((secret) => [secret(), secret()]));
      assert.equal(new Set(secrets).size, 1);
      assert.ok((secrets[0]?.length ?? 0) >= 64);
    } finally {
      await coordination.close();
    }
  });

  it('is the configured one when there is one, and nothing is stored then', async () => {
    const coordination = await openEmbeddedCoordination({ folder: 'memory' });
    try {
      assert.equal(await installationSecret({ coordination, configured: 'given' })(), 'given');
      assert.notEqual(await installationSecret({ coordination, configured: undefined })(), 'given');
    } finally {
      await coordination.close();
    }
  });

  it('is asked for again after it could not be read', async () => {
    const coordination = await openEmbeddedCoordination({ folder: 'memory' });
    try {
      let down = true;
      const tokens = {
        ...coordination.tokens,
        get: (key: string) => (down ? Promise.reject(new Error('down')) : coordination.tokens.get(key)),
        put: (key: string, value: unknown, lifetime: number) => coordination.tokens.put(key, value, lifetime),
      };
      const secret = installationSecret({ coordination: { tokens, locks: coordination.locks }, configured: undefined });
      await assert.rejects(secret(), /down/);
      down = false;
      assert.equal(await secret(), await secret());
    } finally {
      await coordination.close();
    }
  });
});
