import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openPlayedAdapter, TEST_KEY } from '../../../testing/enrichment/played-adapter.ts';
import { ADAPTERS } from './adapter-list.ts';

/** Values that would change a request if they were put into it as they are. */
const HOSTILE = [
  '../',
  '..',
  '.',
  '../../admin',
  '%2e%2e/admin',
  '..\\admin',
  '?admin=1',
  'a.example?admin=1',
  '#admin',
  'a.example#admin',
  'a.example/../admin',
  'a.example\r\nx-admin: 1',
  'a.example\nx-admin: 1',
  '192.0.2.1/../admin',
  '192.0.2.1?admin=1',
  'fe80::1%eth0',
  "a.example' or '1'='1",
  'a.example" OR "*',
  '!a.example',
  'a.example&&b.example',
  'a b.example',
  '\0',
  '\ud800',
  '',
  `${'a'.repeat(4_096)}.example`,
  'a'.repeat(4_096),
  '*',
  '%',
  '$(reboot)',
  '__proto__',
  'constructor',
];
/** Values that are URLs without a scheme. */
const URL_BELOW = /^(a\.example|192\.0\.2\.1)[/?#]\S*$/;
/** URLs that are sent, but only as one value. */
const HOSTILE_URLS = [
  'http://a.example/../admin?x=1&key=2#y',
  'http://a.example/%2e%2e/admin',
  'http://a.example/"]}\\',
  'http://user:pass@a.example:8080//x',
  'http://a.example/é',
  'a.example/x?y',
  `http://a.example/${'x'.repeat(4_000)}`,
];

for (const adapter of ADAPTERS.filter(({ url }) => url !== 'dns:')) {
  describe(`adapter ${adapter.name} and hostile values`, () => {
    it('sends none that is not of its type', async (context) => {
      const { lookup, server } = await openPlayedAdapter(context, adapter.name, () => ({ status: 500 }));
      for (const type of adapter.types) {
        for (const value of HOSTILE.filter((one) => type !== 'url' || !URL_BELOW.test(one))) {
          const { error } = await lookup(type, value);
          assert.equal(
            error,
            `The value is not a valid ${type}, so it was not sent.`,
            `${type} ${JSON.stringify(value)}`,
          );
        }
      }
      assert.deepEqual(server.requests, []);
    });

    if (adapter.types.includes('url')) {
      it('sends URLs as one value, below its address', async (context) => {
        const { lookup, server } = await openPlayedAdapter(context, adapter.name, () => ({ status: 418, body: '{}' }));
        for (const value of HOSTILE_URLS) {
          const before = server.requests.length;
          await lookup('url', value);
          assert.equal(server.requests.length, before + 1, value);
          const { url = '', headers, body } = server.requests.at(-1) ?? {};
          assert.doesNotMatch(`${url} ${body}`, /pass|dXNlcjpwYXNz/);
          // Another reader of the path finds no step to another folder in it, and no parameter of the value.
          const { pathname, searchParams } = new URL(url, 'http://vendor');
          assert.equal(pathname, url.split('?')[0]);
          assert.ok(pathname.startsWith('/base/') && !pathname.includes('admin?'), pathname);
          assert.equal(searchParams.get('x'), null);
          assert.notEqual(searchParams.get('key'), '2');
          assert.equal(headers?.['x-admin'], undefined);
          if (headers?.['content-type'] === 'application/json') assert.ok(JSON.parse(body ?? ''));
        }
      });
    }

    if (adapter.types.includes('domain')) {
      it('sends domains in ASCII', async (context) => {
        const { lookup, server } = await openPlayedAdapter(context, adapter.name, () => ({
          body: { services: [[['example'], [`${server.url}/registry`]]] },
        }));
        const { items, error = '' } = await lookup('domain', 'Bücher.Example.');
        assert.ok(items.length === 0 && !error.includes('was not sent'), error);
        const sent = server.requests.map(({ url, body }) => `${url} ${body}`).join(' ');
        assert.match(sent, /xn--bcher-kva\.example/);
        assert.doesNotMatch(sent, /[^\x20-\x7e]|B%C3%BCcher/);
      });
    }

    it('sends thousands of values one request at a time, and no more than its limits allow', async (context) => {
      const { lookupMany, server } = await openPlayedAdapter(context, adapter.name, () => ({ status: 401, body: {} }));
      const [type = ''] = adapter.types;
      const values = Array.from({ length: 5_000 }, (_, number) => [type, valueFor(type, number)] as const);
      const results = await lookupMany(values);
      const per = Math.max(adapter.valuesPerCall ?? 1, 1);
      assert.ok(
        server.requests.length >= 1 && server.requests.length <= 4,
        `${server.requests.length} requests of ${per}`,
      );
      assert.ok(results.every((result) => result?.error === results[0]?.error && result?.error !== undefined));
      assert.ok(!JSON.stringify(results).includes(TEST_KEY));
    });
  });
}

function valueFor(type: string, number: number): string {
  if (type === 'domain') return `host-${number}.example`;
  if (type === 'ipv4') return `10.1.${Math.floor(number / 250)}.${number % 250}`;
  return number.toString(16).padStart(32, '0');
}
