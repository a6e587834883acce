import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openPlayedAdapter } from '../../../../testing/enrichment/played-adapter.ts';
import {
  encodedName,
  type NameScript,
  NO_SUCH_NAME,
  startScriptedNameServer,
} from '../../../../testing/servers/scripted-name-server.ts';
import type { QueryResult } from '../../../models/query-result.ts';

const text = (value: string) => Buffer.from([value.length, ...Buffer.from(value)]);

describe('adapter dns', () => {
  it('answers with the records of a domain', async (context) => {
    const { lookup, server } = await open(context, (_name, type) => {
      if (type === 'A') return [Buffer.from([192, 0, 2, 1]), Buffer.from([192, 0, 2, 2])];
      if (type === 'MX') return [Buffer.from([0, 10, ...encodedName('mail.example.org')])];
      if (type === 'TXT') return [Buffer.concat([text('v=spf1 '), text('-all')])];
      return [];
    });
    const result = await lookup('domain', 'Bücher.example');
    assert.equal(result.error, undefined);
    assert.deepEqual(notesOf(result), [
      'DNS - A: 192.0.2.1, 192.0.2.2',
      'DNS - MX: 10 mail.example.org',
      'DNS - TXT: v=spf1 -all',
    ]);
    assert.equal(result.items[0]?.count, 4);
    assert.deepEqual(
      server.asked.toSorted(),
      ['A', 'AAAA', 'MX', 'NS', 'TXT'].map((type) => `${type} xn--bcher-kva.example`),
    );
  });

  it('answers with the name of an address', async (context) => {
    const { lookup, server } = await open(context, () => [encodedName('host.example.org')]);
    assert.deepEqual(notesOf(await lookup('ipv4', '192.0.2.1')), ['DNS - PTR: host.example.org']);
    await lookup('ipv6', '2001:db8::1');
    assert.deepEqual(
      server.asked.map((one) => one.split('.').slice(-2).join('.')),
      ['in-addr.arpa', 'ip6.arpa'],
    );
  });

  it('knows nothing of names that do not exist', async (context) => {
    const { lookup } = await open(context, () => NO_SUCH_NAME);
    const result = await lookup('domain', 'unknown.example');
    assert.deepEqual([result.items, result.error], [[], undefined]);
  });

  it('distinguishes failures of name servers from silence', async (context) => {
    const failing = await open(context, () => 2);
    assert.equal(
      (await failing.lookup('domain', 'example.org')).error,
      'The name servers have no answer for this value.',
    );
    const silent = await open(context, () => 'silent');
    assert.equal((await silent.lookup('domain', 'example.org', {}, 300)).error, 'Request Timed Out');
  });

  it('asks nothing about what is not a name', async (context) => {
    const { lookup, server } = await open(context, () => []);
    for (const value of [
      '../',
      'a b.example',
      'example',
      'a\r\nb.example',
      `${'x'.repeat(4096)}.example`,
      'x..example',
    ]) {
      const { error } = await lookup('domain', value);
      assert.equal(error, 'The value is not a valid domain, so it was not sent.', value);
    }
    assert.deepEqual(server.asked, []);
  });

  it('takes addresses of name servers alone', async (context) => {
    await assert.rejects(
      openPlayedAdapter(context, 'dns', () => ({}), { servers: ['dns.example'] }),
      {
        code: 'invalid_setting',
        message:
          'enrichment.adapters.dns.servers: dns.example are not addresses of name servers, such as 192.0.2.1 or 192.0.2.1:53.',
      },
    );
  });
});

async function open(context: TestContext, script: NameScript) {
  const server = await startScriptedNameServer(script);
  context.after(() => server[Symbol.asyncDispose]());
  const { lookup, source } = await openPlayedAdapter(context, 'dns', () => ({}), { servers: [server.address] });
  assert.equal(source.settings.reach, 'active');
  return { lookup, server };
}

function notesOf({ items }: QueryResult): readonly string[] {
  return items.flatMap((item) =>
    'annotations' in item && Array.isArray(item.annotations)
      ? item.annotations.map(({ analytic, value }) => `${analytic}: ${value}`)
      : [],
  );
}
