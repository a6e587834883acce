import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { inputReader } from '../../input/input-reader.ts';
import { deadlineOf, LookupQuery } from './lookup-query.ts';
import { readPathSelector, readSelectors } from './lookup-selectors.ts';

const context = { engine: loadClassification(DEMO_CLASSIFICATION), sources: null };

describe('readSelectors', () => {
  it('counts equal selectors once', () => {
    const one = { type: 'domain', value: 'x' };
    const body = [one, { type: ' DOMAIN', value: 'X' }, { ...one, sources: ['a'] }, { ...one, classification: 'R' }];
    assert.equal(readSelectors(body, context).length, 3);
  });

  const selector = { type: 'domain', value: 'x' };
  const refused: readonly (readonly [what: string, body: unknown, code: string, message: RegExp])[] = [
    ['an object', {}, 'invalid_selectors', /^Request data is not in the correct format$/],
    ['an empty array', [], 'no_selectors', /^You must provide at least one value to lookup\.$/],
    [
      'a wrong element',
      [selector, { type: 1 }],
      'invalid_selectors',
      /format: "type": must be .*, "value": is required$/,
    ],
    ['5,001 selectors', Array(5_001).fill(selector), 'too_many_selectors', /at most 5000 selectors, not 5001/],
    ['a long value', [{ ...selector, value: 'x'.repeat(4_097) }], 'value_too_long', /at most 4096 bytes/],
    ['long telemetry', [{ type: 'telemetry', value: `"${'x'.repeat(262_143)}"` }], 'value_too_long', /262144 bytes/],
  ];
  for (const [what, body, code, message] of refused) {
    it(`refuses ${what}`, () => assert.throws(() => readSelectors(body, context), { code, message }));
  }

  it('takes 5,000 selectors of 4 kB', () => {
    const body = Array.from({ length: 5_000 }, (_one, index) => ({
      type: 'url',
      value: `${index}`.padEnd(4_096, 'x'),
    }));
    assert.equal(readSelectors(body, context).length, 5_000);
  });
});

describe('readPathSelector', () => {
  const read = (type: string, value: string) =>
    readPathSelector({ type, value, path: `/api/v1/lookup/enrich/${type}/${encodeURIComponent(value)}` }, context);

  it('takes a value that was encoded twice or once, and repeats it as the public system does', () => {
    const twice = read('url', 'https%3A%2F%2Fexample.org%2FA');
    assert.equal(twice.selector.value, 'https://example.org/a');
    assert.equal(twice.writtenValue, 'https%253a%252f%252fexample.org%252fa');
    const once = read('EML_ADDRESS', 'Goose@Example.org');
    assert.deepEqual([once.selector.type, once.selector.value], ['email_address', 'goose@example.org']);
    assert.equal(once.writtenValue, 'goose%40example.org');
    assert.equal(read('ip', '2001:db8::1').selector.type, 'ipv6');
    assert.equal(read('telemetry', '%7B%22A%22%3A1%7D').selector.value, '{"A":1}');
    assert.equal(read('domain', '100%').selector.value, '100%');
  });

  it('takes types with a namespace, encoded once or twice', () => {
    for (const type of ['acme/ticket', 'acme%2Fticket']) assert.equal(read(type, 'x').selector.type, 'acme/ticket');
  });

  it('refuses what is not of its type', () => {
    assert.throws(() => read('domain', 'a/b'), {
      code: 'unknown_path',
      message: 'Api does not exist (/api/v1/lookup/enrich/domain/a/b)',
    });
    assert.throws(() => read('telemetry', 'nonsense'), {
      code: 'invalid_selectors',
      message: 'If type is telemetry, value must be a valid JSON object.',
    });
    assert.throws(() => read('ip', 'nowhere'), { code: 'invalid_selectors' });
    assert.throws(() => read('url', 'x'.repeat(5_000)), { code: 'value_too_long' });
  });
});

describe('arguments of lookups', () => {
  const read = (query: object) => inputReader(LookupQuery)(query) as Record<string, unknown>;

  it('count as absent when they cannot be read', () => {
    const usual = read({});
    assert.deepEqual(read({ max_timeout: 'soon', limit: 'many', sources: '', classification: '' }), usual);
    assert.deepEqual(read({ max_timeout: '-1', limit: '-1' }), usual);
    assert.deepEqual(read({ max_timeout: 'Infinity', limit: '1.5' }), usual);
    assert.deepEqual([usual.max_timeout, usual.limit, usual.no_cache], [5, 10, false]);
  });

  it('separate names by bars if there is one, and do not trim them', () => {
    assert.deepEqual(read({ sources: 'a, b' }).sources, ['a', ' b']);
    assert.deepEqual(read({ sources: 'a|b,c' }).sources, ['a', 'b,c']);
  });

  it('switch on by true, 1 and an empty value', () => {
    const given = { no_annotation: 'TRUE', include_raw: '1', no_cache: '', exclude_unset: 'yes' };
    const { no_annotation, include_raw, no_cache, exclude_unset } = read(given);
    assert.deepEqual([no_annotation, include_raw, no_cache, exclude_unset], [true, true, true, false]);
  });

  it('bound the time, and double a short one up to two seconds', () => {
    const deadline = (max_timeout: string) => deadlineOf(read({ max_timeout }) as never, 0);
    assert.deepEqual(['0.1', '1', '1.5', '5', '1e9'].map(deadline), [200, 2_000, 2_000, 5_000, 300_000]);
  });
});
