import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../config/config.ts';
import { resolveMetadata } from './submission-metadata.ts';

interface Options {
  readonly endpoint?: 'submit' | 'ingest';
  readonly type?: string;
  readonly usual?: object;
  readonly archived?: boolean;
}

function resolved(metadata: object, sent: object, { endpoint = 'submit', type = 'USER', ...options }: Options = {}) {
  const { submission } = loadConfig({ environment: {}, flags: { 'analysis.submission.metadata': metadata } }).analysis;
  return resolveMetadata(
    { settings: submission, suggestions: (key) => (key === 'colours' ? ['blue'] : []) },
    {
      usual: (options.usual ?? {}) as Record<string, unknown>,
      sent: sent as Record<string, unknown>,
      endpoint,
      type,
      archived: options.archived ?? false,
    },
  );
}

describe('metadata of a submission', () => {
  it('is stored as strings by dotted name, over that of the user', () => {
    const usual = { from: 'me', n: 'usual' };
    assert.deepEqual(
      resolved({}, { n: 5, 'deep.key': 'x', a: { b: { c: true } }, list: [1, 'é'], none: null }, { usual }),
      {
        from: 'me',
        n: '5',
        'deep.key': 'x',
        'a.b.c': 'true',
        list: '[1, "\\u00e9"]',
        none: 'null',
      },
    );
  });

  it('is limited in names and lengths; bulk drops what is too long', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, '1']));
    assert.throws(() => resolved({}, many), { code: 'invalid_metadata' });
    assert.throws(() => resolved({}, { ['k'.repeat(300)]: '1' }), { code: 'invalid_metadata' });
    const long = { long: 'x'.repeat(4097), short: 'y' };
    assert.throws(() => resolved({}, long), { code: 'invalid_metadata', at: 'metadata.long' });
    assert.deepEqual(resolved({}, long, { endpoint: 'ingest' }), { short: 'y' });
  });

  it('has either a value under a name or names below it', () => {
    const refused = { code: 'invalid_metadata', message: /"a.b" and "a.b.c.d" exclude each other/ };
    assert.throws(() => resolved({}, { a: { b: 'x', 'b.c.d': 'y' } }), refused);
    assert.throws(() => resolved({}, { 'a.b': 'x' }, { usual: { 'a.b.c.d': 'y' } }), refused);
    assert.deepEqual(resolved({}, { a: { b: 'x' }, ab: 'y' }), { 'a.b': 'x', ab: 'y' });
  });

  it('follows a scheme: required fields, defaults, aliases', () => {
    const submit = {
      owner: { required: true, aliases: ['who', 'by'] },
      level: { required: true, default: 'low' },
      optional: { validator_type: 'integer' },
    };
    assert.deepEqual(resolved({ submit }, { who: 'anna', by: 'bob' }), { owner: 'anna', level: 'low' });
    assert.deepEqual(resolved({ submit }, { owner: 'eve', who: 'anna' }), { owner: 'eve', who: 'anna', level: 'low' });
    assert.throws(() => resolved({ submit }, {}), {
      message: "Required metadata is missing from submission: ['owner']",
    });
    assert.throws(() => resolved({ submit }, { owner: 'a', optional: 'many' }), {
      message: /^Validation of 'optional' of type integer failed: /,
    });
    assert.deepEqual(resolved({ submit }, {}, { endpoint: 'ingest' }), {});
  });

  it('has no other names under a strict scheme, but for those of the service', () => {
    const metadata = { submit: { owner: {} }, strict_schemes: ['submit'] };
    assert.throws(() => resolved(metadata, { owner: 'a', other: 'b' }), {
      message: "Extra metadata found from submission: ['other']",
    });
    assert.deepEqual(resolved(metadata, { owner: 'a', ts: 'now' }), { owner: 'a', ts: 'now' });
  });

  it('of bulk follows the scheme of its type and that of all types', () => {
    const metadata = { ingest: { _default: { all: { required: true } }, MAIL: { subject: { required: true } } } };
    const bulk = (sent: object, type: string) => resolved(metadata, sent, { endpoint: 'ingest', type });
    assert.throws(() => bulk({ all: 'x' }, 'MAIL'), /'subject'/);
    assert.deepEqual(bulk({ all: 'x' }, 'FTP'), { all: 'x' });
    assert.throws(() => bulk({}, 'FTP'), /'all'/);
    assert.deepEqual(bulk({ all: 'x' }, '__proto__'), { all: 'x' });
  });

  it('of what is archived follows that scheme, too', () => {
    const metadata = { archive: { reason: { required: true } } };
    assert.throws(() => resolved(metadata, {}, { archived: true }), /'reason'/);
    assert.deepEqual(resolved(metadata, {}), {});
  });

  it('is checked by the kinds of its fields', () => {
    const kinds: readonly [object, unknown, string | undefined][] = [
      [{ validator_type: 'integer' }, '7', '7'],
      [{ validator_type: 'integer' }, 'x', undefined],
      [{ validator_type: 'float' }, '1.5', '1.5'],
      [{ validator_type: 'boolean' }, true, 'True'],
      [{ validator_type: 'ip' }, '192.0.2.1', '192.0.2.1'],
      [{ validator_type: 'ip' }, 'x', undefined],
      [{ validator_type: 'domain' }, 'Golden.com', 'golden.com'],
      [{ validator_type: 'domain' }, 'golden', undefined],
      [{ validator_type: 'email' }, 'a@golden.com', 'a@golden.com'],
      [{ validator_type: 'uri' }, 'nothing', undefined],
      [{ validator_type: 'date' }, 'yesterday', undefined],
      [{ validator_type: 'regex', validator_params: { validation_regex: 'bl(e+)' } }, 'bleed', 'bleed'],
      [
        { validator_type: 'regex', validator_params: { validation_regex: '(a+)+$' } },
        `${'a'.repeat(4000)}b`,
        undefined,
      ],
      [{ validator_type: 'enum', validator_params: { values: ['red'] } }, 'red', 'red'],
      [{ validator_type: 'enum', validator_params: { values: ['red'] } }, 'blue', undefined],
      [{ validator_type: 'enum', validator_params: {}, suggestion_key: 'colours' }, 'blue', 'blue'],
      [{ validator_type: 'list', validator_params: { child_type: 'domain' } }, ['abc.com'], "['abc.com']"],
      [{ validator_type: 'list', validator_params: { child_type: 'domain' } }, '["abc.com"]', "['abc.com']"],
      [{ validator_type: 'list', validator_params: { child_type: 'domain' } }, 'abc.com', "['abc.com']"],
      [{ validator_type: 'list', validator_params: { child_type: 'domain' } }, ['abc'], undefined],
      [{ validator_type: 'integer', validator_params: { allow_empty: true } }, '', ''],
      [{ validator_type: 'integer' }, '', undefined],
    ];
    for (const [field, value, stored] of kinds) {
      const check = () => resolved({ submit: { x: field } }, { x: value });
      const name = `${JSON.stringify(field)} ${String(value).slice(0, 20)}`;
      if (stored === undefined) assert.throws(check, { code: 'invalid_metadata' }, name);
      else assert.deepEqual(check(), { x: stored }, name);
    }
  });
});
