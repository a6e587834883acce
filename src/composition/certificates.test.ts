import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { authoritiesFor, readAuthorities } from './certificates.ts';

describe('certificates of authorities', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const certificate = (name: string) => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`;
  const fill = (name: string, files: Readonly<Record<string, string>>) => {
    const path = join(folder, name);
    mkdirSync(path);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
    return path;
  };

  it('are the files that hold any, in the order of their names', () => {
    const mixed = fill('mixed', {
      'b.PEM': certificate('b'),
      'a.crt': certificate('a'),
      'client.pem': '-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----\n',
      'notes.txt': certificate('no'),
    });
    assert.deepEqual(readAuthorities(mixed), [certificate('a'), certificate('b')]);
  });

  it('are none where there is no folder', () => {
    assert.deepEqual(readAuthorities(join(folder, 'nowhere')), []);
  });

  it('are not guessed where a file, or the folder itself, cannot be read', () => {
    const broken = fill('broken', { 'plain.crt': certificate('x') });
    mkdirSync(join(broken, 'a.pem'));
    assert.throws(() => readAuthorities(broken), { code: 'invalid_certificates', message: /a\.pem/ });
    assert.throws(() => readAuthorities(join(broken, 'plain.crt')), { code: 'invalid_certificates' });
  });

  it('are read only for addresses of TLS', () => {
    const path = fill('used', { 'a.crt': certificate('a') });
    for (const address of ['https://engine:9200', 'rediss://redis', 'HTTPS://engine']) {
      assert.deepEqual(authoritiesFor(['http://other', address], path), [certificate('a')]);
    }
    assert.deepEqual(authoritiesFor(['http://engine:9200', 'redis://redis'], join(path, 'a.crt')), []);
  });
});
