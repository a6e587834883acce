import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readListDocuments, readListText } from '../../../testing/enrichment/read-list-text.ts';
import type { ListEntry } from '../list-entry.ts';

describe('lists of text', () => {
  it('hold a value on each line, between comments', async () => {
    const { entries, leftOut } = await readListText(
      {},
      `\uFEFF# title\r\n; semicolon\r\n// slashes\r\n\r\n198.51.100.7\r\n 2001:DB8::7 \r\n203.0.113.0/24 ; SBL1\r\n198.51.100.8:4444
[2001:db8::1]:443
Evil.Example.ORG.\nbücher.example\nhxxps://evil[.]example/a?b=1\nevil.example/path\nMallory@Evil.Example
d41d8cd98f00b204e9800998ecf8427e\nDA39A3EE5E6B4B0D3255BFEF95601890AFD80709  empty.txt\n198.51.100.9\t12\nCVE-2024-12345
not a value\n1.2/a\n198.51.100.256\nlocalhost\n_\n1.2.3\n.\n@\n/`,
    );
    assert.deepEqual(shown(entries), [
      'exact ipv4 198.51.100.7',
      'exact ipv6 2001:db8::7',
      'cidr ipv4 203.0.113.0/24',
      'exact ipv4 198.51.100.8',
      'exact ipv6 2001:db8::1',
      'exact domain evil.example.org',
      'exact domain xn--bcher-kva.example',
      'exact url https://evil.example/a?b=1',
      'exact url evil.example/path',
      'exact email_address mallory@evil.example',
      'exact md5 d41d8cd98f00b204e9800998ecf8427e',
      'exact sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709',
      'exact ipv4 198.51.100.9',
      'exact cve CVE-2024-12345',
    ]);
    assert.deepEqual(leftOut, { 'is not a value that can be looked up': 9 });
  });

  it('may be hosts files and filter lists', async () => {
    const { entries, leftOut } = await readListText(
      {},
      `127.0.0.1 localhost\n0.0.0.0 ads.example tracker.example # both\n::1\tv6.example
[Adblock Plus 2.0]\n! title\n||parent.example^\n||third.example^$third-party\n||example.org/path^\n@@||good.example^\n*.wild.example\n.dot.example\n||198.51.100.7^`,
    );
    assert.deepEqual(shown(entries), [
      'exact domain ads.example',
      'exact domain tracker.example',
      'exact domain v6.example',
      'domain domain parent.example',
      'domain domain third.example',
      'domain domain wild.example',
      'domain domain dot.example',
      'exact ipv4 198.51.100.7',
    ]);
    assert.deepEqual(leftOut, { 'is not a value that can be looked up': 3 });
  });

  it('match as the list says, where that fits the value', async () => {
    const content = 'evil.example\n198.51.100.7\nhttps://evil.example/\n';
    const matches = async (match: ListEntry['match']) =>
      (await readListText({ match }, content)).entries.map((entry) => entry.match);
    assert.deepEqual(await matches('domain'), ['domain', 'exact', 'exact']);
    assert.deepEqual(await matches('hostname'), ['hostname', 'exact', 'exact']);
    assert.deepEqual(await matches('cidr'), ['exact', 'cidr', 'exact']);
    const { entries } = await readListText({ match: 'regex' }, '# comment\n^evil .*\n');
    assert.deepEqual(shown(entries), ['regex undefined ^evil .*']);
  });

  it('may be UTF-16 with its mark', async () => {
    const little = Buffer.from('\uFEFFevil.example\r\nbücher.example\r\n', 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      for (const size of [1, 3, 1000]) {
        const { entries } = await readListText({}, bytes, size);
        assert.deepEqual(shown(entries), ['exact domain evil.example', 'exact domain xn--bcher-kva.example']);
      }
    }
    await assert.rejects(
      readListText({}, little.subarray(0, -1)),
      /^ListProblem: list: it begins as UTF-16 and is not/,
    );
  });

  it('are refused with the line when they are not text', async () => {
    for (const [content, message] of [
      ['', 'list: it is empty.'],
      [
        'a.example\nb\0.example\n',
        'list, line 2: it has a NUL byte, so it is not text. Save UTF-16 with its mark, or as UTF-8.',
      ],
      [Buffer.from('a.example\n\n\xff.example', 'latin1'), 'list, line 3: it is not valid UTF-8.'],
      [
        'nothing\nhere\n',
        'list: it has nothing that the format text understands (2 × is not a value that can be looked up).',
      ],
      [`a.example\n${'x'.repeat(1_048_577)}`, 'list, line 2: it is longer than 1048576 bytes.'],
      [`a.example\n${'x'.repeat(1_048_577)}\n`, 'list, line 2: it is longer than 1048576 bytes.'],
    ] as const) {
      await assert.rejects(readListText({}, content), { name: 'ListProblem', message });
    }
    const { entries, leftOut } = await readListText({}, `a.example\n${'x'.repeat(1_048_576)}\n`);
    assert.equal(entries.length, 1);
    assert.deepEqual(leftOut, { 'is not a value that can be looked up': 1 });
    assert.deepEqual((await readListText({}, '# nothing today\n')).entries, []);
  });

  it('end at 1 MB of a line that has no end', async () => {
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 65_536;
        yield Buffer.alloc(65_536, 'x');
      }
    }
    await assert.rejects(readListDocuments({}, [{ place: 'list', bytes: endless() }]), /is longer than 1048576 bytes/);
    assert.ok(sent < 1_500_000);
  });

  it('come in chunks of up to 1,000 entries, alike for all sizes of what is read', async () => {
    const content = Array.from({ length: 2500 }, (_, index) => `host${index}.example`).join('\n');
    const { entries, chunks } = await readListText({}, content);
    assert.deepEqual([entries.length, Math.max(...chunks)], [2500, 1000]);
    assert.deepEqual((await readListText({}, content, 7)).entries, entries);
  });

  it('never fail for any lines, and read what they were written with', async () => {
    const value = fc.oneof(
      fc.ipV4().map((text) => `exact ipv4 ${text}`),
      fc.domain().map((text) => `exact domain ${text.toLowerCase()}`),
      fc.stringMatching(/^[0-9a-f]{32}$/).map((text) => `exact md5 ${text}`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(value),
        fc.array(fc.string()),
        fc.integer({ min: 1, max: 50 }),
        async (values, noise, size) => {
          const lines = ['example.org', ...noise.map((text) => `# ${text.replaceAll(/[\n\0]/g, '')}`)];
          const content = [...lines, ...values.map((text) => text.split(' ')[2])].join('\n');
          const { entries, leftOut } = await readListText({}, content, size);
          assert.deepEqual(shown(entries).slice(1), values);
          assert.deepEqual(leftOut, {});
        },
      ),
      { numRuns: 200 },
    );
  });
});

function shown(entries: readonly ListEntry[]): string[] {
  return entries.map(({ match, type, value }) => `${match} ${type} ${value}`);
}
