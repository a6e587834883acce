import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchableFields } from '../../../../../src/alerts/search/search-collections.ts';
import { parseSyntax } from '../../../../../src/datastore/query-language/query-parser.ts';
import { hitDocument } from '../../../../../src/documents/kinds/hit.ts';
import { fieldsOfType } from '../../../../../src/enrichment/own-sources/alerts/alert-fields.ts';
import { pastedQuery } from '../language/pasted-query.ts';
import { queryFields } from '../language/query-fields.ts';
import { alertIndicatorFields } from './alert-indicator-fields.ts';
import { indicatorFields } from './indicator-fields.ts';
import { indicatorQuery } from './indicator-query.ts';
import { type IndicatorKind, readIndicators } from './read-indicators.ts';

const keyword = { type: 'keyword' };
const fields = queryFields({
  'related.ip': { type: 'ip' },
  'related.hosts': keyword,
  'related.hash': keyword,
  'related.uri': keyword,
  'source.ip': { type: 'ip' },
  'howler.status': keyword,
  'email.from.address': keyword,
});

describe('reading indicators', () => {
  for (const [pasted, kind, value] of [
    ['10.0.0.1', 'ip', '10.0.0.1'],
    ['10[.]0[.]0[.]1', 'ip', '10.0.0.1'],
    ['10.0.0.1:443', 'ip', '10.0.0.1'],
    ['10.0.0.0/8', 'ip', '10.0.0.0/8'],
    ['2001:db8::1', 'ip', '2001:db8::1'],
    ['[2001:db8::1]:443', 'ip', '2001:db8::1'],
    ['(10.0.0.1),', 'ip', '10.0.0.1'],
    ['Evil.Example.', 'domain', 'evil.example'],
    ['evil[.]example', 'domain', 'evil.example'],
    ['evil[dot]example', 'domain', 'evil.example'],
    ['setup[.]zip', 'domain', 'setup.zip'],
    ['hxxps://evil[.]example/a?b=c#d', 'url', 'https://evil.example/a?b=c#d'],
    ['http://10.0.0.1/x', 'url', 'http://10.0.0.1/x'],
    ['Ann[@]evil[.]example', 'mail', 'Ann@evil.example'],
    ['D41D8CD98F00B204E9800998ECF8427E', 'md5', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['a'.repeat(40), 'sha1', 'a'.repeat(40)],
    ['0'.repeat(64), 'sha256', '0'.repeat(64)],
  ] as const) {
    it(`reads ${pasted}`, () => assert.deepEqual(readIndicators(pasted), [{ kind, value }]));
  }

  for (const pasted of [
    '',
    ' \n ',
    'word',
    'howler.status:open',
    'setup.exe',
    '10.0.0.999',
    '10.0.0.1 AND b',
    'The address 10.0.0.1 was seen',
    '123456',
    'a'.repeat(33),
    'x'.repeat(5_000),
  ]) {
    it(`leaves ${JSON.stringify(pasted.slice(0, 40))} as it is`, () => assert.equal(readIndicators(pasted), undefined));
  }

  it('reads many lines, each once, between any separators', () => {
    const pasted = '10.0.0.1\r\n10[.]0.0.1\n\n"evil.example",evil.example; 10.0.0.2 | a@b.example';
    assert.deepEqual(
      readIndicators(pasted)?.map(({ value }) => value),
      ['10.0.0.1', 'evil.example', '10.0.0.2', 'a@b.example'],
    );
  });

  it('tells the names of fields from domains', () => {
    assert.equal(
      readIndicators('howler.status', (name) => fields.byName.has(name)),
      undefined,
    );
  });

  it('ends at the first word of a long text that is none', () => {
    const started = performance.now();
    assert.equal(readIndicators(`word ${'10.0.0.1 '.repeat(1_000_000)}`), undefined);
    assert.equal(readIndicators('('.repeat(1_000_000)), undefined);
    assert.ok(performance.now() - started < 5_000);
  });
});

describe('the fields of indicators', () => {
  const hits = queryFields(searchableFields(hitDocument));

  it('of alerts are those that enrichment searches, too', () => {
    const types = {
      ip: 'ipv4',
      domain: 'domain',
      url: 'url',
      mail: 'email_address',
      md5: 'md5',
      sha1: 'sha1',
      sha256: 'sha256',
    };
    for (const [kind, type] of Object.entries(types)) {
      const searched = fieldsOfType(type).map(({ path }) => path);
      assert.deepEqual(alertIndicatorFields(kind as IndicatorKind).toSorted(), [...new Set(searched)].toSorted(), kind);
      assert.deepEqual(indicatorFields(hits)[kind as IndicatorKind], alertIndicatorFields(kind as IndicatorKind));
    }
  });

  it('are those that the index has, and those that the installation maps', () => {
    const found = indicatorFields(fields, { 'howler.status': 'IPv4', 'gone.ip': 'ip', 'source.ip': 'ip' });
    assert.deepEqual(found.ip, ['related.ip', 'source.ip', 'related.hosts', 'howler.status']);
    assert.deepEqual(found.sha256, ['related.hash']);
    assert.deepEqual(found.mail, ['email.from.address']);
  });

  it('are those of the same name where an index has none of alerts', () => {
    const files = queryFields({ sha256: keyword, md5: keyword, size: { type: 'long' } });
    assert.deepEqual(indicatorFields(files).sha256, ['sha256']);
    assert.deepEqual(indicatorFields(files).ip, []);
  });
});

describe('the query of indicators', () => {
  it('asks each field for the values of its kind', () => {
    const indicators = readIndicators('10.0.0.1 2001:db8::1 evil.example') ?? [];
    const values = '(10.0.0.1 OR "2001:db8::1")';
    assert.equal(
      indicatorQuery(indicators, indicatorFields(fields)),
      `related.ip:${values} OR source.ip:${values} OR related.hosts:${values} OR related.hosts:evil.example`,
    );
  });

  it('asks the default fields where no field takes the kind', () => {
    const indicators = readIndicators('10.0.0.1') ?? [];
    assert.equal(indicatorQuery(indicators, indicatorFields(queryFields({}))), '"10.0.0.1"');
  });
});

describe('pasting', () => {
  const manyFields = queryFields(Object.fromEntries(alertIndicatorFields('ip').map((name) => [name, keyword])));
  const anywhere = (value: string) => `related.ip:${value} OR source.ip:${value} OR related.hosts:${value}`;
  const paste = (pasted: string, text: string, at = text.length) =>
    pastedQuery(pasted, { text, from: at, to: at, fields });
  const queryOf = (pasted: string, text: string) => {
    const result = paste(pasted, text);
    return result.kind === 'indicators' ? result.query : result.kind;
  };

  it('makes a query of indicators in an empty bar', () => {
    assert.equal(queryOf('10.0.0.1', ''), anywhere('10.0.0.1'));
    assert.equal(queryOf('10.0.0.1\n10.0.0.2', ' '), anywhere('(10.0.0.1 OR 10.0.0.2)'));
  });

  it('makes values of them after the name of a field', () => {
    assert.equal(queryOf('2001:db8::1', 'source.ip:'), '"2001:db8::1"');
    assert.equal(queryOf('10.0.0.1 10.0.0.2', 'source.ip:'), '(10.0.0.1 OR 10.0.0.2)');
  });

  it('adds a clause to a query, which stays valid', () => {
    assert.equal(queryOf('10.0.0.1', 'howler.status:open '), `AND (${anywhere('10.0.0.1')})`);
    assert.equal(queryOf('10.0.0.1', 'howler.status:open AND '), `(${anywhere('10.0.0.1')})`);
    parseSyntax(`howler.status:open ${queryOf('10.0.0.1', 'howler.status:open ')}`);
  });

  it('asks the most telling fields alone where all would make the query too long', () => {
    const addresses = Array.from({ length: 1_500 }, (_, index) => `10.0.${index >> 8}.${index & 255}`).join('\n');
    const found = pastedQuery(addresses, { text: '', from: 0, to: 0, fields: manyFields });
    assert.equal(found.kind === 'indicators' && found.isNarrowed, true);
    const few = pastedQuery('10.0.0.1', { text: '', from: 0, to: 0, fields: manyFields });
    assert.equal(few.kind === 'indicators' && few.isNarrowed, false);
  });

  it('leaves a part of a value, and everything else, as it is', () => {
    assert.equal(queryOf('10.0.0.1', 'source.ip:"'), 'as_it_is');
    assert.equal(queryOf('10.0.0.1', 'source.ip:[1.0.0.0 TO '), 'as_it_is');
    assert.equal(queryOf('10.0.0.1', 'source.ip:1'), 'as_it_is');
    assert.equal(queryOf('a:b', ''), 'as_it_is');
  });

  it('refuses what is longer than a query may be', () => {
    assert.deepEqual(paste('x'.repeat(1_000_000), ''), { kind: 'too_long', length: 1_000_000, max: 100_000 });
    assert.equal(paste('x'.repeat(99_999), 'a:').kind, 'too_long');
    assert.equal(paste('x'.repeat(99_998), 'a:').kind, 'as_it_is');
    const selected = { text: 'x'.repeat(99_999), from: 0, to: 99_999, fields };
    assert.equal(pastedQuery('y'.repeat(100_000), selected).kind, 'as_it_is');
  });
});
