import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readListText } from '../../../../testing/enrichment/read-list-text.ts';
import { splitRow } from './csv-rows.ts';

const csv = (content: string, settings = {}, size?: number) =>
  readListText({ format: 'csv', ...settings }, content, size);
const ndjson = (content: string, settings = {}) => readListText({ format: 'ndjson', ...settings }, content);
const hashes = (content: string) => readListText({ format: 'hashes' }, content);

describe('lists of CSV', () => {
  it('detect columns by their header, also one in a comment', async () => {
    const rows = `"2024-03-01 10:00:00", "1", "198.51.100.7:443", "ip:port", "win.x", "75", "https://ref.example/", "a,b", "TLP:AMBER"
"2024-03-01 10:00:00", "2", "198.51.100.7", "domain", "win.x", "75", "", "None", ""
"2024-03-01 10:00:00", "3", "evil.example", "unheard of", "", "", "", "", ""\n`;
    const header =
      '"first_seen_utc","ioc_id","ioc_value","ioc_type","malware","confidence_level","reference","tags","tlp"\n';
    for (const start of [header, `# title\n# ${header}`]) {
      const { entries, leftOut } = await csv(`${start}${rows}`, {}, 10);
      assert.deepEqual(entries, [
        {
          match: 'exact',
          type: 'ipv4',
          value: '198.51.100.7',
          marking: 'TLP:AMBER',
          details: {
            opinion: undefined,
            confidence: 0.75,
            author: undefined,
            tags: ['a', 'b'],
            killChain: undefined,
            validFrom: '2024-03-01T10:00:00.000Z',
            validUntil: undefined,
            summary: 'win.x',
            link: 'https://ref.example/',
          },
        },
      ]);
      assert.deepEqual(leftOut, { 'is not a value that can be looked up': 2 });
    }
  });

  it('find the column of values without a header, by its type, by name and by number', async () => {
    for (const [content, column, expected] of [
      ['1;evil.example;x\n2;other.example;y\n', null, ['evil.example', 'other.example']],
      [`date,sha256_hash\n2024-01-01,x\n2024-01-01,${'a'.repeat(64)}`, null, ['a'.repeat(64)]],
      ['id\tname\tinfo\n1\tevil.example\tb.example\n', 'INFO', ['b.example']],
      ['a.example,b.example\nc.example,d.example', '2', ['b.example', 'd.example']],
      [
        `# first_seen,sha256_hash,md5_hash,reporter\n2024-01-01,${'a'.repeat(64)},${'b'.repeat(32)},x\n`,
        null,
        ['a'.repeat(64), 'b'.repeat(32)],
      ],
      [`# made by hand, type\na.example,1,2\n`, null, ['a.example']],
      ['first_seen,thing\n2024-01-01,evil.example\n', null, ['evil.example']],
      ['"a ""quoted""\nname",evil.example\n', '2', ['evil.example']],
    ] as const) {
      assert.deepEqual(
        (await csv(content, { column })).entries.map(({ value }) => value),
        expected,
      );
    }
    assert.deepEqual((await csv('value,type\n')).entries, []);
    await assert.rejects(csv('a,b\n1,2\n', { column: 'c' }), {
      message: 'list, line 2: it names no column "c" (a, b). Name one of the header, or count it from 1.'.replace(
        'line 2',
        'line 1',
      ),
    });
  });

  it('are refused when a quote stays open', async () => {
    await assert.rejects(csv('value\na.example\n"b.example\nc.example\n'), {
      message: 'list, line 3: it has a quote that is never closed.',
    });
    const { user } = process.cpuUsage();
    await assert.rejects(
      csv(`value\n"${'x\n'.repeat(2_000_000)}`),
      /^ListProblem: list, line 2: it has a quote that stays open/,
    );
    assert.ok(process.cpuUsage().user - user < 3_000_000);
  });

  it('read any cells as they were written', async () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('a,b', '"', '""', 'x"y', '', ' ', ',', '\n'));
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), fc.constantFrom(',', ';', '\t', '|'), (cells, separator) => {
        const row = cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(separator);
        assert.deepEqual(splitRow(row, separator), cells);
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string().filter((text) => !text.includes('\0'))), async (notes) => {
        const rows = notes.map((note, index) => `"${note.replaceAll('"', '""')}",host${index}.example`);
        const { entries } = await csv(['note,value', 'x,a.example', ...rows].join('\r\n'), {}, 5);
        assert.deepEqual(
          entries.slice(1).map(({ value }) => value),
          notes.map((_, index) => `host${index}.example`),
        );
      }),
      { numRuns: 100 },
    );
  });
});

describe('lists of NDJSON', () => {
  it('hold an object on each line', async () => {
    const { entries, leftOut } =
      await ndjson(`{"type":"domain","value":"Evil.example","confidence":80,"tags":["a","b"],"valid_until":"2030-01-01","opinion":"malicious","tlp":"green"}
"198.51.100.0/24"
{"sha1":"da39a3ee5e6b4b0d3255bfef95601890afd80709","note":"x"}
{"type":"ipv4","value":"evil.example"}
{"type":"my/type","value":"anything"}
{"__proto__":{"value":"proto.example"}}
[]\n`);
    assert.deepEqual(
      entries.map(({ match, type, value, marking }) => [match, type, value, marking]),
      [
        ['exact', 'domain', 'evil.example', 'TLP:GREEN'],
        ['cidr', 'ipv4', '198.51.100.0/24', undefined],
        ['exact', 'sha1', 'da39a3ee5e6b4b0d3255bfef95601890afd80709', undefined],
        ['exact', 'my/type', 'anything', undefined],
      ],
    );
    assert.partialDeepStrictEqual(entries[0]?.details, {
      opinion: 'malicious',
      confidence: 0.8,
      tags: ['a', 'b'],
      validUntil: '2030-01-01T00:00:00.000Z',
    });
    assert.deepEqual(leftOut, { 'is not a value that can be looked up': 3 });
    const named = await ndjson('{"host":"a.example","other":"b.example"}\n', { column: 'other' });
    assert.deepEqual(
      named.entries.map(({ value }) => value),
      ['b.example'],
    );
  });

  it('read no domain from an international name with more than a name', async () => {
    const rows = ['ü.example/x', 'ü.example:80', 'ü.example'].map((value) => JSON.stringify({ type: 'domain', value }));
    const { entries, leftOut } = await readListText({ format: 'ndjson' }, rows.join('\n'));
    assert.deepEqual(
      entries.map(({ value }) => value),
      ['xn--tda.example'],
    );
    assert.equal(
      Object.values(leftOut).reduce((sum, count) => sum + count, 0),
      2,
    );
  });

  it('are refused at a line that is not JSON, such as the last of a half file', async () => {
    await assert.rejects(ndjson('{"value":"a.example"}\n{"value":"b.ex'), {
      message: 'list, line 2: it is not a JSON value. Each line has to hold a whole one.',
    });
  });
});

describe('lists of hashes', () => {
  const [md5, sha1, sha256] = ['1'.repeat(32), 'a'.repeat(40), 'B'.repeat(64)];

  it('are plain, exports of NSRL, or of hashlookup', async () => {
    for (const [content, expected] of [
      [`# x\n${md5}\r\n\n${sha256}  a file\n"${sha1}"\n`, [md5, sha256.toLowerCase(), sha1]],
      [`"SHA-1","MD5","CRC32","FileName","FileSize"\r\n"${sha1}","${md5}","1","${md5}, x",2\r\n`, [sha1, md5]],
      [`name;sha256\n"a;b";${sha256}\n`, [sha256.toLowerCase()]],
      [`{"MD5":"${md5}","FileName":"${md5}","SHA-1": "${sha1}","parents":[]}\n`, [md5, sha1]],
    ] as const) {
      assert.deepEqual(
        (await hashes(content)).entries.map(({ value }) => value),
        expected,
      );
    }
    const { entries, leftOut } = await hashes(`${md5}\n${md5}0\nevil.example\n${'g'.repeat(32)}\n`);
    assert.deepEqual([entries.length, leftOut], [1, { 'is not a value that can be looked up': 3 }]);
    assert.deepEqual(entries[0], { match: 'exact', type: 'md5', value: md5, marking: undefined, details: undefined });
    await assert.rejects(hashes('evil.example\n'), /has nothing that the format hashes understands/);
  });
});
