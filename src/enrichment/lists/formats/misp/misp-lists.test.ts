import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readListText } from '../../../../testing/enrichment/read-list-text.ts';

const event = (fields: object) => JSON.stringify({ Event: { info: 'Campaign', date: '2024-02-01', ...fields } });
const attribute = (type: string, value: string, fields = {}) => ({
  type,
  value,
  to_ids: true,
  category: 'Network activity',
  ...fields,
});
const misp = (content: string, size?: number) => readListText({ format: 'misp_event' }, content, size);
const warninglist = (content: object | string) =>
  readListText({ format: 'misp_warninglist' }, typeof content === 'string' ? content : JSON.stringify(content));

describe('events of MISP', () => {
  it('give entries for attributes and those of objects, with what is said of the event', async () => {
    const content = event({
      Attribute: [
        attribute('domain|ip', 'evil.example|198.51.100.7', {
          comment: 'stage 1',
          first_seen: '2024-03-01T00:00:00+00:00',
        }),
        attribute('filename|sha1', `a.exe|${'1'.repeat(40)}`, { Tag: [{ name: 'tlp:red' }, { name: 'apt' }] }),
      ],
      Object: [{ name: 'url', Attribute: [attribute('url', 'https://evil.example/')] }],
      Orgc: { name: 'CERT' },
      Tag: [
        { name: 'tlp:amber' },
        { name: 'misp:confidence-level="usually-confident"' },
        { name: 'kill-chain:Delivery' },
        { name: 'type:OSINT' },
      ],
    });
    for (const size of [1, 100_000]) {
      const { entries, leftOut } = await misp(content, size);
      assert.deepEqual(leftOut, {});
      assert.deepEqual(
        entries.map(({ match, type, value, marking }) => [match, type, value, marking]),
        [
          ['exact', 'domain', 'evil.example', 'TLP:AMBER'],
          ['exact', 'ipv4', '198.51.100.7', 'TLP:AMBER'],
          ['exact', 'sha1', '1'.repeat(40), 'TLP:RED'],
          ['exact', 'url', 'https://evil.example/', 'TLP:AMBER'],
        ],
      );
      assert.partialDeepStrictEqual(entries[0]?.details, {
        author: 'CERT',
        confidence: 0.75,
        killChain: ['kill-chain:Delivery'],
        tags: ['type:OSINT', 'Network activity'],
        validFrom: '2024-03-01T00:00:00.000Z',
        summary: 'Campaign: stage 1',
      });
      assert.deepEqual(entries[2]?.details?.tags, ['apt', 'type:OSINT', 'Network activity']);
      assert.equal(entries[3]?.details?.validFrom, '2024-02-01T00:00:00.000Z');
    }
  });

  it('may be several, in the forms of an export and of a search', async () => {
    const [first, second] = [
      event({ Attribute: [attribute('domain', 'a.example')] }),
      event({ Attribute: [attribute('domain', 'b.example')], Tag: [{ name: 'tlp:green' }] }),
    ];
    const bare = [first, second].map((text) => JSON.stringify(JSON.parse(text).Event)).join('\n');
    for (const content of [bare, `${first}\n${second}`, `[${first},${second}]`, `{"response":[${first},${second}]}`]) {
      const { entries } = await misp(content);
      assert.deepEqual(
        entries.map(({ value, marking }) => [value, marking]),
        [
          ['a.example', undefined],
          ['b.example', 'TLP:GREEN'],
        ],
      );
    }
  });

  it('count what is deleted, not for detection, or not understood', async () => {
    const { entries, leftOut } = await misp(
      event({
        Attribute: [
          attribute('domain', 'a.example', { to_ids: '1' }),
          attribute('domain', 'b.example', { to_ids: false }),
          attribute('domain', 'c.example', { deleted: true }),
          attribute('domain', 'not a domain'),
          attribute('mutex', 'x'),
          attribute('ip-dst|port', '198.51.100.7|443'),
          attribute('malware-sample', `x.exe|${'1'.repeat(32)}`, { data: 'x'.repeat(2_000_000) }),
          'text',
        ],
        Object: [{ deleted: true, Attribute: [attribute('domain', 'd.example')] }, { Attribute: 'none' }],
      }),
    );
    assert.deepEqual(
      entries.map(({ value }) => value),
      ['a.example', '198.51.100.7'],
    );
    assert.deepEqual(leftOut, {
      'is not meant for detection (to_ids)': 1,
      'is deleted': 2,
      'is an attribute whose value is not of its type': 1,
      'is an attribute of a type that cannot be looked up': 1,
      'is larger than 1 MB': 1,
      'is not an attribute': 1,
    });
    assert.deepEqual(
      (await misp(event({ Attribute: [attribute('domain', 'a.example', { to_ids: false })] }))).entries,
      [],
    );
    assert.deepEqual((await misp(event({ deleted: true, Attribute: [attribute('domain', 'a.example')] }))).entries, []);
  });

  it('are refused when they end in the middle or are another document', async () => {
    const content = event({ Attribute: [attribute('domain', 'a.example')] });
    await assert.rejects(misp(content.slice(0, -1)), /^ListProblem: list: it ends in the middle/);
    await assert.rejects(misp('{"name":"Authentication failed."}'), /is not a MISP event/);
    await assert.rejects(
      misp(event({ Attribute: [attribute('mutex', 'a')] })),
      /has nothing that the format misp_event understands/,
    );
  });
});

describe('warninglists of MISP', () => {
  it('match by their type, which may stand after the list, and are ubiquitous', async () => {
    const values = async (type: string | undefined, list: readonly unknown[]) => {
      const read = await warninglist({
        description: 'd',
        list,
        matching_attributes: ['domain'],
        name: 'Known',
        type,
        version: 1,
      });
      assert.ok(read.entries.every(({ details }) => details?.ubiquitous === true && details.summary === 'Known: d'));
      return [
        ...read.entries.map(({ match, type, value }) => `${match} ${type} ${value}`),
        ...Object.values(read.leftOut),
      ];
    };
    assert.deepEqual(await values('string', ['198.51.100.7', 'a.example', 'no value', 1]), [
      'exact ipv4 198.51.100.7',
      'exact domain a.example',
      2,
    ]);
    assert.deepEqual(await values(undefined, ['198.51.100.7']), ['exact ipv4 198.51.100.7']);
    assert.deepEqual(await values('hostname', ['.Example.org', 'example.net', '198.51.100.7']), [
      'hostname domain example.org',
      'hostname domain example.net',
      'exact ipv4 198.51.100.7',
    ]);
    assert.deepEqual(await values('cidr', ['198.51.100.0/24', '2001:db8::7', 'a.example']), [
      'cidr ipv4 198.51.100.0/24',
      'cidr ipv6 2001:db8::7',
      1,
    ]);
    assert.deepEqual(await values('substring', ['.example.']), ['substring undefined .example.']);
    assert.deepEqual(await values('regex', ['/^a\\/b$/i', '^c$']), ['regex undefined ^a\\/b$', 'regex undefined ^c$']);
  });

  it('are refused with another type, without a list, and in the middle', async () => {
    await assert.rejects(warninglist({ list: ['a.example'], type: 'other' }), {
      message: 'list: it has the type "other". Types are string, hostname, substring, cidr, regex.',
    });
    await assert.rejects(warninglist({ name: 'x' }), /is not a warninglist: it has no "list"/);
    await assert.rejects(warninglist('{"list":["a.example"'), /ends in the middle/);
    await assert.rejects(warninglist({ list: ['x'] }), /has nothing that the format misp_warninglist understands/);
  });
});
