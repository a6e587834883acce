import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Result, resultDocument, SEARCHED_BODY_TOKENS } from '../../documents/kinds/analysis/result.ts';
import type { StoredDocument } from '../../documents/schema/collection-definition.ts';
import { SEARCHABLE } from '../../testing/searchable-kind.ts';
import { indexedValues } from './indexed-values.ts';
import { parseAddress } from './ip-address.ts';

describe('indexedValues', () => {
  it('finds the first tokens alone of a value whose field limits them', () => {
    const body = (text: string) => ({ result: { sections: [{ body: text }] } }) as unknown as Result;
    const long = `${'word '.repeat(SEARCHED_BODY_TOKENS - 1)}last hidden`;
    const { tokens } = indexedValues(resultDocument, body(long));
    for (const field of ['result.sections.body', '__text__']) {
      assert.equal(tokens.get(field)?.length, SEARCHED_BODY_TOKENS, field);
      assert.equal(tokens.get(field)?.at(-1)?.text, 'last', field);
    }
    const whole = indexedValues(resultDocument, body('x '.repeat(SEARCHED_BODY_TOKENS)));
    assert.equal(whole.tokens.get('result.sections.body')?.length, SEARCHED_BODY_TOKENS);
  });

  it('flattens lists and objects in lists, in the order of the document', () => {
    const document = { comment: [{ user: 'eve' }, { user: ['bob', null] }, { user: 'eve' }], tags: 'red' };
    assert.deepEqual(values(document, 'comment.user'), ['eve', 'bob', 'eve']);
    assert.deepEqual(values(document, 'tags'), ['red']);
  });

  it('reads dotted property names as objects', () => {
    assert.deepEqual(values({ 'source.ip': '10.0.0.1', is: { open: true } }, 'source.ip'), [parseAddress('10.0.0.1')]);
  });

  it('leaves out null, empty lists, unknown properties and what a field cannot hold', () => {
    const document = {
      status: null,
      tags: [],
      unknown: 'x',
      severity: ['abc', 2 ** 31],
      timestamp: 'yesterday',
      'source.ip': 'x',
      score: 1e39,
    };
    const { values, tokens } = indexedValues(SEARCHABLE, document);
    assert.deepEqual([...values.keys(), ...tokens.keys()], []);
  });

  it('gives each kind its indexed form', () => {
    const document = {
      title: 'İstanbul ΣΑΣ',
      severity: '443.9',
      bytes: '9007199254740993',
      score: '0.1',
      is: { open: 'false' },
      timestamp: '2026-01-15T12:11:12.123+02:00',
      source: { ip: '::FFFF:10.1.2.3' },
      hash: { md5: 'ABC' },
    };
    assert.deepEqual(values(document, 'title'), ['istanbul σασ']);
    assert.deepEqual(values(document, 'severity'), [443]);
    assert.deepEqual(values(document, 'bytes'), [9007199254740993n]);
    assert.deepEqual(values(document, 'score'), [Math.fround(0.1)]);
    assert.deepEqual(values(document, 'is.open'), [false]);
    assert.deepEqual(values(document, 'timestamp'), [Date.parse('2026-01-15T10:11:12.123Z')]);
    assert.deepEqual(values(document, 'source.ip'), ['00000000000000000000ffff0a010203']);
    assert.deepEqual(values(document, 'hash.md5'), ['abc']);
  });

  it('keeps large numbers exact', () => {
    assert.deepEqual(values({ bytes: 2 ** 62 }, 'bytes'), [2n ** 62n]);
    assert.deepEqual(values({ bytes: [1.9, -1.9] }, 'bytes'), [1n, -1n]);
  });

  it('keeps values over 8191 characters out of their field, and in the copied text', () => {
    const long = `head ${'x'.repeat(8191)}`;
    const { values, tokens } = indexedValues(SEARCHABLE, { tags: [long, 'short'] });
    assert.deepEqual(values.get('tags'), ['short']);
    assert.equal(tokens.get('__text__')?.[0]?.text, 'head');
  });

  it('copies values into __text__ in the order of the document, 100 places apart, those of unindexed fields too', () => {
    const { values, tokens } = indexedValues(SEARCHABLE, { tags: ['red alert'], raw: 'Raw', title: 'Blue' });
    assert.equal(values.has('raw'), false);
    assert.deepEqual(tokens.get('__text__'), [
      { text: 'red', position: 0 },
      { text: 'alert', position: 1 },
      { text: 'raw', position: 102 },
      { text: 'blue', position: 203 },
    ]);
  });

  it('lists a text field without a word with no tokens, for it exists', () => {
    assert.deepEqual(indexedValues(SEARCHABLE, { 'comment.value': '...' }).tokens.get('comment.value'), []);
  });

  it('keeps the case of ssdeep hashes', () => {
    const { tokens } = indexedValues(SEARCHABLE, { hash: { ssdeep: '3:Ab:Cd' } });
    assert.deepEqual(
      tokens.get('hash.ssdeep')?.map(({ text }) => text),
      ['3', 'Ab', 'Cd'],
    );
  });

  it('makes a field of each key of a free object, and one of all', () => {
    const { values } = indexedValues(SEARCHABLE, { labels: { team: 'soc', deep: { key: [1, true] } } });
    assert.deepEqual(values.get('labels.team'), ['soc']);
    assert.deepEqual(values.get('labels.deep.key'), ['1', 'true']);
    assert.deepEqual(values.get('labels'), ['soc', '1', 'true']);
  });

  it('takes the identifier that it is given, the one in the document otherwise', () => {
    assert.deepEqual(indexedValues(SEARCHABLE, { id: 'a' }, { id: 'b' }).values.get('id'), ['b']);
    assert.deepEqual(values({ id: 'a' }, 'id'), ['a']);
    assert.deepEqual(indexedValues({ ...SEARCHABLE, idField: 'status' }, { status: 's' }).values.get('id'), ['s']);
  });
});

function values(document: StoredDocument, path: string): unknown {
  return indexedValues(SEARCHABLE, document).values.get(path);
}
