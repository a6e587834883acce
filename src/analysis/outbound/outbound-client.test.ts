import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { outboundAddressTest } from '../../identity/limits/public-addresses.ts';
import { OutboundClient } from './outbound-client.ts';

describe('addresses of other servers', () => {
  const isPublic = outboundAddressTest([]);

  it('are refused unless they are public, in every spelling', () => {
    for (const address of ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:93.184.215.14']) {
      assert.ok(isPublic(address), address);
    }
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '172.31.255.255',
      '192.168.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '255.255.255.255',
      '224.0.0.1',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:a9fe:a9fe',
      '::7f00:1',
      'fe80::1',
      'fe80::1%eth0',
      'fd00:ec2::254',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b::7f00:1',
      '2002:7f00:1::1',
      'nonsense',
    ]) {
      assert.ok(!isPublic(address), address);
    }
  });

  it('are allowed where the configuration says so', () => {
    const isAllowed = outboundAddressTest(['10.0.0.0/8', 'fd00::/8']);
    assert.ok(isAllowed('10.1.2.3') && isAllowed('fd00::1') && isAllowed('::ffff:10.0.0.1'));
    assert.ok(!isAllowed('192.168.0.1') && !isAllowed('::1'));
  });
});

describe('requests to other servers', () => {
  const seen: { method: string; url: string; body: string; secret: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, body: await text(request), secret: headers['x-apikey'] });
    if (url === '/silent') return;
    if (url.startsWith('/to?')) response.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end();
    else if (url === '/loop') response.writeHead(307, { location: '/loop' }).end();
    else response.writeHead(url === '/missing' ? 404 : 200, { 'x-answer': 'yes' }).end('content');
  });
  const listening = new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = new OutboundClient({ allowedNetworks: ['127.0.0.1/32'] });
  const closed = new OutboundClient({ allowedNetworks: [] });

  it('answer with status, headers and content', async () => {
    const answer = await open.request({ url: `${await listening}/a`, method: 'POST', body: 'é', timeout: 5000 });
    assert.deepEqual([answer.status, answer.headers['x-answer'], await text(answer.content)], [200, 'yes', 'content']);
    assert.deepEqual(seen.at(-1), { method: 'POST', url: '/a', body: 'é', secret: undefined });
    const missing = await open.request({ url: `${await listening}/missing`, timeout: 5000 });
    missing.content.resume();
    assert.equal(missing.status, 404);
  });

  it('go to no address that is not public, by number, name or redirect', async () => {
    const url = await listening;
    const { port } = new URL(url);
    const before = seen.length;
    for (const refused of [
      url,
      `http://localhost:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://2130706433:${port}/`,
      `http://0x7f.1:${port}/`,
    ]) {
      await assert.rejects(closed.request({ url: refused, timeout: 5000 }), { code: 'address_not_allowed' }, refused);
    }
    assert.equal(seen.length, before);
    const elsewhere = encodeURIComponent(`http://127.0.0.2:${port}/secret`);
    await assert.rejects(open.request({ url: `${url}/to?${elsewhere}`, timeout: 5000 }), {
      code: 'address_not_allowed',
    });
    const file = encodeURIComponent('file:///etc/passwd');
    await assert.rejects(open.request({ url: `${url}/to?${file}`, timeout: 5000 }), { code: 'invalid_url' });
  });

  it('follow redirects, with their secrets to the same server alone', async () => {
    const url = await listening;
    const { port } = new URL(url);
    const own = await open.request({ url: `${url}/to?/b`, headers: { 'X-APIKEY': 's' }, timeout: 5000 });
    own.content.resume();
    assert.deepEqual([own.url, seen.at(-1)?.secret], [`${url}/b`, 's']);
    const twoHosts = new OutboundClient({ allowedNetworks: ['127.0.0.0/8'] });
    const other = encodeURIComponent(`http://127.0.0.1:${port}/c`);
    const from = url.replace('127.0.0.1', 'localhost');
    const answer = await twoHosts
      .request({ url: `${from}/to?${other}`, headers: { 'x-apikey': 's' }, timeout: 5000 })
      .catch(() => undefined);
    answer?.content.resume();
    if (answer !== undefined) assert.deepEqual([seen.at(-1)?.url, seen.at(-1)?.secret], ['/c', undefined]);
  });

  it('end when the server does not answer or redirects without end', async () => {
    const url = await listening;
    await assert.rejects(open.request({ url: `${url}/loop`, timeout: 5000 }), { code: 'server_unreachable' });
    await assert.rejects(open.request({ url: `${url}/silent`, timeout: 50 }), { code: 'server_unreachable' });
    await assert.rejects(open.request({ url: 'http://127.0.0.1:1/', timeout: 5000 }), { code: 'server_unreachable' });
    await assert.rejects(open.request({ url: 'ftp://a.example/', timeout: 5000 }), { code: 'invalid_url' });
  });
});
