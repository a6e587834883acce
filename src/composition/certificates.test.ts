import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { rootCertificates } from 'node:tls';
import { authoritiesFor, readAuthorities } from './certificates.ts';

describe('certificates of authorities', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const [first = '', second = '', third = ''] = rootCertificates;
  const fill = (name: string, files: Readonly<Record<string, string>>) => {
    const path = join(folder, name);
    mkdirSync(path);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
    return path;
  };

  it('are the files that hold any, in the order of their names', () => {
    const mixed = fill('mixed', {
      'b.PEM': second,
      'a.crt': `# Two in one file\n${first}\n${third}`,
      'client.pem': '-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----\n',
      'notes.txt': first,
    });
    assert.deepEqual(readAuthorities(mixed), [`# Two in one file\n${first}\n${third}`, second]);
  });

  it('are none where the usual folder is missing, which one that someone named must not be', () => {
    const nowhere = join(folder, 'nowhere');
    assert.deepEqual(readAuthorities(nowhere, nowhere), []);
    assert.throws(() => readAuthorities(nowhere), {
      code: 'invalid_certificates',
      message: /^SVC_CERT_DIRECTORY: .*nowhere.*no such file or directory/,
    });
  });

  it('are not guessed where a file, or the folder itself, cannot be read', () => {
    const broken = fill('broken', { 'plain.crt': first });
    mkdirSync(join(broken, 'a.pem'));
    assert.throws(() => readAuthorities(broken), { code: 'invalid_certificates', message: /a\.pem/ });
    assert.throws(() => readAuthorities(join(broken, 'plain.crt')), { code: 'invalid_certificates' });
    for (const torn of [first.slice(0, 400), `${second}\n${first.replace(/\n.*\n/, '\n!\n')}`]) {
      const path = fill(`torn-${torn.length}`, { 'torn.crt': torn });
      assert.throws(() => readAuthorities(path), { code: 'invalid_certificates', message: /torn\.crt/ });
    }
  });

  it('are read only for addresses of TLS', () => {
    const path = fill('used', { 'a.crt': first });
    for (const address of ['https://engine:9200', 'rediss://redis', 'HTTPS://engine']) {
      assert.deepEqual(authoritiesFor(['http://other', address], path), [first]);
    }
    assert.deepEqual(authoritiesFor(['http://engine:9200', 'redis://redis'], join(path, 'a.crt')), []);
  });
});
