import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anEntry, compileEntries } from '../../../testing/enrichment/compiled-list.ts';
import type { ListEntry } from '../list-entry.ts';
import { keysOfSelector } from './selector-keys.ts';

type Case = readonly [entry: Partial<ListEntry> & { value: string }, type: string, value: string];

const MD5 = 'D41D8CD98F00B204E9800998ECF8427E';

const MATCHES: readonly Case[] = [
  [{ value: '192.0.2.7' }, 'ipv4', '192.0.2.7'],
  [{ value: '192.0.2.7' }, 'ipv6', '::ffff:192.0.2.7'],
  [{ value: '192.0.2.7', type: 'ipv4' }, 'url', 'https://192.0.2.7:8443/a'],
  [{ value: '2001:DB8:0:0::1' }, 'ipv6', '2001:db8::1'],
  [{ value: '2001:db8::1' }, 'ipv6', '2001:0db8:0000:0000:0000:0000:0000:0001'],
  [{ value: '2001:db8::1' }, 'url', 'http://[2001:DB8::1]/'],
  [{ value: 'fe80::1' }, 'ipv6', 'fe80::1%eth0'],
  [{ value: '192.0.2.0/24' }, 'ipv4', '192.0.2.255'],
  [{ value: '192.0.2.77/24' }, 'ipv4', '192.0.2.0'],
  [{ value: '0.0.0.0/0', match: 'cidr' }, 'ipv4', '255.255.255.255'],
  [{ value: '192.0.2.7', match: 'cidr' }, 'ipv4', '192.0.2.7'],
  [{ value: '2001:db8::/32', match: 'cidr' }, 'ipv6', '2001:db8:ffff::1'],
  [{ value: '198.51.100.0/24' }, 'url', 'http://198.51.100.9/x'],
  [{ value: 'Example.ORG.' }, 'domain', 'example.org'],
  [{ value: 'example.org' }, 'domain', 'example.org.'],
  [{ value: 'example.org' }, 'hostname', 'EXAMPLE.org'],
  [{ value: 'bücher.example' }, 'domain', 'xn--bcher-kva.example'],
  [{ value: 'xn--bcher-kva.example' }, 'domain', 'BÜCHER.example'],
  [{ value: 'bücher.example' }, 'url', 'https://bücher.example/a'],
  [{ value: 'example.org', match: 'domain' }, 'domain', 'a.b.example.org'],
  [{ value: '*.example.org', match: 'domain' }, 'domain', 'a.example.org'],
  [{ value: '.example.org', match: 'hostname' }, 'domain', 'a.example.org'],
  [{ value: 'example.org', match: 'domain' }, 'url', 'https://user:word@a.example.org:444/x?y'],
  [{ value: 'example.org', match: 'domain' }, 'email_address', 'someone@mail.example.org'],
  [{ value: 'example.org' }, 'url', 'ftp://example.org./file'],
  [{ value: 'org', match: 'domain' }, 'domain', 'example.org'],
  [{ value: 'https://example.org/a?b=1' }, 'url', 'HTTPS://Example.ORG:443/a?b=1#part'],
  [{ value: 'http://example.org' }, 'url', 'http://example.org/'],
  [{ value: 'http://example.org/a/../b' }, 'url', 'http://example.org/b'],
  [{ value: 'example.org/a' }, 'url', 'https://example.org/a'],
  [{ value: 'https://example.org/a' }, 'url', 'example.org/a'],
  [{ value: 'Someone@Example.org' }, 'email_address', 'someone@example.ORG'],
  [{ value: MD5 }, 'md5', MD5.toLowerCase()],
  [{ value: MD5, type: 'md5' }, 'md5', MD5],
  [{ value: '__proto__' }, 'userid', '__proto__'],
  [{ value: 'curl/8.0', type: 'user_agent' }, 'user_agent', 'CURL/8.0'],
  [{ value: 'constructor', type: '__proto__' }, '__proto__', 'constructor'],
  [{ value: 'EVIL', match: 'substring' }, 'url', 'https://example.org/devil'],
  [{ value: 'ample.o', match: 'substring', type: 'hostname' }, 'domain', 'example.org'],
  [{ value: '^[a-f]+[.]example$', match: 'regex' }, 'domain', 'ABC.example'],
];

const OTHERS: readonly Case[] = [
  [{ value: '192.0.2.7' }, 'ipv4', '192.0.2.70'],
  [{ value: '192.0.2.7' }, 'ipv4', '192.000.2.7'],
  [{ value: '192.0.2.7' }, 'ipv4', 'constructor'],
  [{ value: '192.0.2.0/24' }, 'ipv4', '192.0.3.0'],
  [{ value: '192.0.2.0/24' }, 'ipv4', '192.0.1.255'],
  [{ value: '0.0.0.0/0', match: 'cidr' }, 'ipv6', '2001:db8::1'],
  [{ value: '2001:db8::/33' }, 'ipv6', '2001:db8:8000::'],
  [{ value: 'example.org' }, 'domain', 'a.example.org'],
  [{ value: 'a.example.org', match: 'domain' }, 'domain', 'example.org'],
  [{ value: 'example.org', match: 'domain' }, 'domain', 'badexample.org'],
  [{ value: 'example.org' }, 'url', 'https://a.example.org/'],
  [{ value: 'example.org' }, 'email_address', 'someone@example.org'],
  [{ value: 'example.org', match: 'hostname' }, 'email_address', 'someone@example.org'],
  [{ value: 'https://example.org/' }, 'domain', 'example.org'],
  [{ value: 'https://192.0.2.7/' }, 'ipv4', '192.0.2.7'],
  [{ value: 'https://example.org/a' }, 'url', 'http://example.org/a'],
  [{ value: 'https://example.org/a' }, 'url', 'https://example.org/A'],
  [{ value: 'https://example.org/a' }, 'url', 'https://example.org/a?'.replace('?', '?b')],
  [{ value: 'someone@example.org' }, 'domain', 'example.org'],
  [{ value: MD5 }, 'sha1', `${MD5}00000000`],
  [{ value: 'curl/8.0', type: 'user_agent' }, 'userid', 'curl/8.0'],
  [{ value: 'ample.o', match: 'substring', type: 'domain' }, 'url', 'https://example.org/'],
  [{ value: '^abc', match: 'regex' }, 'domain', 'xabc.example'],
];

describe('a compiled list', () => {
  it('matches what an entry says', (context) => {
    for (const [entry, type, value] of MATCHES) {
      const found = compileEntries(context, [anEntry(entry)]).find(keysOfSelector(type, value));
      assert.equal(found.length, 1, `${JSON.stringify(entry)} matches ${type} ${value}`);
    }
  });

  it('matches nothing else', (context) => {
    for (const [entry, type, value] of OTHERS) {
      const found = compileEntries(context, [anEntry(entry)]).find(keysOfSelector(type, value));
      assert.equal(found.length, 0, `${JSON.stringify(entry)} does not match ${type} ${value}`);
    }
  });

  it('reports how it found an entry, the nearest first', (context) => {
    const named = (value: string, summary: string, match: ListEntry['match'] = 'exact') =>
      anEntry({ value, match, details: { summary } });
    const compiled = compileEntries(context, [
      named('10.0.0.0/8', 'eight'),
      named('10.1.0.0/16', 'sixteen'),
      named('10.2.0.0/16', 'other'),
      named('10.1.2.3', 'one'),
      named('10.1.0.0/16', 'sixteen too'),
    ]);
    assert.deepEqual(
      compiled.find(keysOfSelector('ipv4', '10.1.2.3')).map(({ by, details }) => [by, details.summary]),
      [
        ['value', 'one'],
        ['network', 'sixteen too'],
        ['network', 'sixteen'],
        ['network', 'eight'],
      ],
    );
    assert.deepEqual(
      compiled.find(keysOfSelector('ipv4', '10.3.0.1')).map(({ details }) => details.summary),
      ['eight'],
    );
  });

  it('keeps details within limits and leaves out links that run code', (context) => {
    const compiled = compileEntries(context, [
      anEntry({
        value: 'example.org',
        marking: ' tlp:amber ',
        details: {
          ...{ opinion: 'malicious', confidence: 7, author: 'A', summary: 'x'.repeat(9000) },
          tags: Array.from({ length: 900 }, (_, number) => `tag ${number}`),
          ...{ link: 'javascript:alert(1)', validUntil: 'tomorrow', validFrom: '2026-01-01T00:00:00Z' },
        },
      }),
    ]);
    const [found] = compiled.find(keysOfSelector('domain', 'example.org'));
    assert.equal(found?.details.marking, 'TLP:AMBER');
    assert.equal(found?.details.confidence, 1);
    assert.equal(found?.details.summary?.length, 2000);
    assert.equal(found?.details.tags?.length, 50);
    assert.equal(found?.details.link, undefined);
    assert.equal(found?.details.validUntil, undefined);
    assert.equal(found?.details.validFrom, Date.parse('2026-01-01'));
    assert.deepEqual({ ...compiled.summary.markings }, { 'TLP:AMBER': 1 });
  });

  it('counts what it leaves out', (context) => {
    const { summary } = compileEntries(context, [
      anEntry({ value: ' ' }),
      anEntry({ value: 'x'.repeat(5000) }),
      anEntry({ value: 'not a host', match: 'domain' }),
      anEntry({ value: '10.0.0.0/33', match: 'cidr' }),
      anEntry({ value: 'ab', match: 'substring' }),
      anEntry({ value: '(a', match: 'regex' }),
      anEntry({ value: '(?:[a-z]{1,30}x){1,30}', match: 'regex' }),
      ...Array.from({ length: 25 }, (_, number) =>
        anEntry({ value: '10.0.0.0/8', details: { summary: `number ${number}` } }),
      ),
    ]);
    assert.deepEqual(
      { ...summary.leftOut },
      {
        'is empty': 1,
        'is longer than 4096 characters': 1,
        'is not the name of a host': 1,
        'is not an address or a network': 1,
        'is a substring of less than 3 characters': 1,
        'is an expression that RE2 does not accept': 1,
        'is an expression that is too slow': 1,
        'is one of more than 20 entries for one network': 5,
      },
    );
  });

  it('answers at once when all values fit many patterns and networks', (context) => {
    const compiled = compileEntries(context, [
      ...Array.from({ length: 10_000 }, (_, number) => anEntry({ value: `aaa${number}`, match: 'substring' })),
      ...Array.from({ length: 128 }, (_, bits) => anEntry({ value: `2001:db8::/${bits + 1}`, match: 'cidr' })),
    ]);
    const before = process.cpuUsage();
    for (let run = 0; run < 20; run += 1) {
      compiled.find(keysOfSelector('user_agent', 'a'.repeat(4096)));
      compiled.find(keysOfSelector('ipv6', '2001:db8::1'));
    }
    const { user } = process.cpuUsage(before);
    assert.ok(user < 20 * 250_000, `${user / 20_000} ms of processor time for one value`);
  });
});
