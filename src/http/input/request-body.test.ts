import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_DEPTH, MAX_STRING_LENGTH } from '../../json/json-limits.ts';
import { MAX_MEMBERS, readBody } from './request-body.ts';

const JSON_TYPE = 'application/json';
const UNREADABLE = "No data block provided or data block not in JSON format.'";

describe('readBody json', () => {
  const read = (text: string | Buffer, type: string | undefined = JSON_TYPE) =>
    readBody('json', type, Buffer.from(text));

  it('reads every kind of JSON', () => {
    assert.deepEqual(read('{"a": [1, null, "é"]}'), { a: [1, null, 'é'] });
    assert.equal(read('null'), null);
    assert.deepEqual(read('[]', 'application/json; charset=UTF-8'), []);
    assert.deepEqual(read('[]', 'application/merge-patch+json'), []);
  });

  it('refuses other media types', () => {
    for (const type of [undefined, 'text/plain', 'application/jsonp', 'application/x-www-form-urlencoded']) {
      assert.throws(() => readBody('json', type, Buffer.from('[]')), { status: 415, code: 'unsupported_media_type' });
    }
  });

  it('refuses what is not JSON in the words that clients know', () => {
    for (const text of ['', '{', '{"a": 1', "{'a': 1}", 'NaN', '[1] 2', '"\u0000"']) {
      assert.throws(() => read(text), { code: 'invalid_json', message: UNREADABLE }, text);
    }
    assert.throws(() => read(Buffer.from([0x22, 0xff, 0x22])), { code: 'invalid_json', message: UNREADABLE });
  });

  it('refuses values that nothing can hold, and says where they are', () => {
    const cases: readonly [string, string, string][] = [
      ['[{"a": {"b": "x\\u0000y"}}]', 'invalid_character', '0.a.b'],
      ['{"a": ["\\ud800"]}', 'invalid_character', 'a.0'],
      ['{"\\udfff": 1}', 'invalid_character', '\udfff'],
      ['{"a": {"__proto__": {"isAdmin": true}}}', 'reserved_key', 'a'],
      ['{"\\u005f_proto__": 1}', 'reserved_key', ''],
      [`{"a": "${'x'.repeat(MAX_STRING_LENGTH + 1)}"}`, 'string_too_long', 'a'],
    ];
    for (const [text, code, at] of cases) {
      assert.throws(() => read(text), { code, at }, text.slice(0, 50));
    }
    assert.deepEqual(read('"\\ud83d\\ude00"'), '😀');
  });

  it('refuses deep nesting without walking down all of it', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    assert.ok(read(nested(MAX_DEPTH)));
    for (const depth of [MAX_DEPTH + 1, 1_000, 200_000]) {
      assert.throws(() => read(nested(depth)), { code: 'nested_too_deep' });
    }
  });
});

describe('readBody, the other ways', () => {
  it('reads JSON where it can and nothing otherwise, when lenient', () => {
    const read = (text: string, type: string | undefined = JSON_TYPE) =>
      readBody('lenient_json', type, Buffer.from(text));
    assert.deepEqual(read('{"rows": 1}'), { rows: 1 });
    for (const text of ['', '{bad']) assert.equal(read(text), undefined);
    assert.equal(read('{}', 'text/plain'), undefined);
    assert.throws(() => read('{"a":"\\u0000"}'), { code: 'invalid_character' });
  });

  it('reads JSON where the media type says so, and nothing otherwise, when typed', () => {
    const read = (text: string, type: string | undefined) => readBody('typed_json', type, Buffer.from(text));
    assert.deepEqual(read('{"a": null}', 'application/json; charset=utf-8'), { a: null });
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', undefined]) {
      assert.equal(read('a=1', type), undefined);
    }
    for (const text of ['', '{broken']) assert.throws(() => read(text, JSON_TYPE), { code: 'invalid_json' });
  });

  it('reads forms', () => {
    const read = (text: string, type: string | undefined) => readBody('json_or_form', type, Buffer.from(text));
    assert.deepEqual(read('user=a%20b&password=c+d', 'application/x-www-form-urlencoded'), {
      user: 'a b',
      password: 'c d',
    });
    assert.deepEqual(read('{"user":"a"}', JSON_TYPE), { user: 'a' });
    assert.equal(read('', undefined), undefined);
    assert.throws(() => read('x', 'text/plain'), { status: 415 });
  });

  it('reads text, and throws away what a route does not want', () => {
    assert.equal(readBody('text', undefined, Buffer.from('é')), 'é');
    assert.throws(() => readBody('text', undefined, Buffer.from([0xff])), { code: 'invalid_text' });
    assert.equal(readBody('ignored', 'nonsense', Buffer.from('{')), undefined);
  });

  it('takes what cannot be read for nothing sent where a login wants that', () => {
    const lenient = (text: string, type: string | undefined) =>
      readBody('lenient_json_or_form', type, Buffer.from(text));
    assert.deepEqual(lenient('{"user": "ada"}', JSON_TYPE), { user: 'ada' });
    assert.deepEqual(lenient('user=ada&otp=', 'application/x-www-form-urlencoded'), { user: 'ada', otp: '' });
    assert.equal(lenient('{', JSON_TYPE), undefined);
    assert.equal(lenient('user=ada', 'text/plain'), undefined);
    assert.equal(lenient('', undefined), undefined);
    assert.throws(() => lenient('user=%00', 'application/x-www-form-urlencoded'), { code: 'invalid_character' });
  });
});

describe('a body with many members', () => {
  const list = (count: number, item: string) => Buffer.from(`[${Array(count).fill(item).join(',')}]`);

  it('is read up to the limit', () => {
    const value = readBody('json', 'application/json', list(MAX_MEMBERS - 1, '{"name":1}')) as unknown[];
    assert.equal(value.length, MAX_MEMBERS - 1);
  });

  it('is refused beyond it, before it is parsed', () => {
    for (const reading of ['json', 'lenient_json'] as const) {
      for (const item of ['{"a":1,"b":2}', '{}', '[]']) {
        assert.throws(() => readBody(reading, 'application/json', list(MAX_MEMBERS, item)), {
          code: 'body_too_complex',
          message: /250000/,
        });
      }
    }
  });
});
