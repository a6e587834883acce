import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type ScriptedServer, startScriptedServer } from '../../../testing/servers/scripted-server.ts';
import { SILENT } from '../../port/datastore-logger.ts';
import { openSearchEngine } from './search-engine-client.ts';

const VENDORS = ['elasticsearch', 'opensearch'] as const;
const noOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'openssl, which makes the certificates, is not installed';
  }
})();

describe('https to a search engine', { skip: noOpenssl ?? false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'engine-tls-'));
  let authority = '';
  let leafFingerprint = '';
  let authorityFingerprint = '';
  let chain = '';
  let key = '';
  const servers: ScriptedServer[] = [];

  before(() => {
    makeCertificates(folder);
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    authority = read('ca.crt');
    key = read('server.key');
    chain = read('server.crt') + authority;
    leafFingerprint = new X509Certificate(read('server.crt')).fingerprint256;
    authorityFingerprint = new X509Certificate(authority).fingerprint256;
  });
  after(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (vendor: (typeof VENDORS)[number], cert = chain): Promise<ScriptedServer> => {
    const version = vendor === 'elasticsearch' ? { number: '9.4.0' } : { number: '2.19.0', distribution: 'opensearch' };
    const script = () => ({ headers: { 'x-elastic-product': 'Elasticsearch' }, body: { version } });
    const server = await startScriptedServer(script, { key, cert });
    servers.push(server);
    return server;
  };
  const open = (
    vendor: (typeof VENDORS)[number],
    { url }: ScriptedServer,
    options: { certificates?: readonly string[]; fingerprint?: string; as?: string } = {},
  ) =>
    openSearchEngine({
      vendor,
      hosts: [
        {
          name: 'x',
          url: options.as === undefined ? url : url.replace('127.0.0.1', options.as),
          username: 'someone',
          password: 'secret',
          fingerprint: options.fingerprint,
        },
      ],
      certificates: options.certificates ?? [],
      transportTimeout: 2000,
      logger: SILENT,
    });
  const refused = { kind: 'unavailable', code: 'datastore_certificate_refused', message: /SVC_CERT_DIRECTORY/ };

  for (const vendor of VENDORS) {
    it(`trusts the given authorities, and no others (${vendor})`, async () => {
      const server = await start(vendor);
      await (await open(vendor, server, { certificates: [authority] })).close();
      const asked = server.requests.length;
      await assert.rejects(open(vendor, server), refused);
      assert.equal(
        server.requests.length,
        asked,
        'a request, with its credentials, reached a server that is not trusted',
      );
    });

    it(`refuses a trusted certificate of another name (${vendor})`, async () => {
      const server = await start(vendor);
      await assert.rejects(open(vendor, server, { certificates: [authority], as: 'localhost' }), refused);
    });

    it(`trusts the fingerprint of the server or of its authority, and no other (${vendor})`, async () => {
      const server = await start(vendor);
      for (const fingerprint of [
        leafFingerprint,
        authorityFingerprint,
        leafFingerprint.replaceAll(':', '').toLowerCase(),
      ]) {
        await (await open(vendor, server, { fingerprint, as: 'localhost' })).close();
      }
      const asked = server.requests.length;
      const other = leafFingerprint.replace(/^../, leafFingerprint.startsWith('AA') ? 'BB' : 'AA');
      await assert.rejects(open(vendor, server, { fingerprint: other }), { ...refused, message: /fingerprint/ });
      assert.equal(
        server.requests.length,
        asked,
        'a request, with its credentials, reached a server that is not trusted',
      );
    });

    it(`asks over one connection after its fingerprint was checked (${vendor})`, async () => {
      const server = await start(vendor);
      const engine = await open(vendor, server, { fingerprint: leafFingerprint });
      for (let round = 0; round < 5; round += 1) await engine.request({ method: 'GET', path: '/x' });
      assert.equal(server.connections(), 1);
      await engine.close();
    });
  }

  it('says which fingerprint is none', async () => {
    const server = await start('opensearch');
    await assert.rejects(open('opensearch', server, { fingerprint: 'abc' }), {
      code: 'invalid_setting',
      message: /fingerprint of x/,
    });
  });
});

/** An authority, and a server certificate for 127.0.0.1 alone that it signed. */
function makeCertificates(folder: string): void {
  const openssl = (...given: string[]) => execFileSync('openssl', given, { cwd: folder, stdio: 'ignore' });
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-days',
    '2',
    '-subj',
    '/CN=Test authority',
  );
  openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=search engine');
  writeFileSync(join(folder, 'names.txt'), 'subjectAltName=IP:127.0.0.1\n');
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names.txt', '-days', '2'];
  openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.crt', ...signed);
}
