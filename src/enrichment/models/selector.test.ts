import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { exceededValueLimit, readSelector } from './selector.ts';

const engine = loadClassification(DEMO_CLASSIFICATION);
const context = { engine };
const UNCLASSIFIED = { classification: engine.unrestricted, sources: null };

describe('readSelector', () => {
  const normalised: readonly (readonly [given: object, type: string, value: string])[] = [
    [{ type: ' DOMAIN ', value: 'Example.ORG' }, 'domain', 'example.org'],
    [{ type: 'ip', value: '192.0.2.7' }, 'ipv4', '192.0.2.7'],
    [{ type: 'IP', value: '2001:DB8::1' }, 'ipv6', '2001:DB8::1'],
    [{ type: 'eml_address', value: 'Goose@Example.org' }, 'email_address', 'Goose@Example.org'],
    [{ type: 'md5', value: 'ABC' }, 'md5', 'ABC'],
    [{ type: 'telemetry', value: '{"A": 1}' }, 'telemetry', '{"A": 1}'],
    [{ type: 'ipv4', value: 'no address', extra: 1 }, 'ipv4', 'no address'],
  ];
  for (const [given, type, value] of normalised) {
    it(`normalises ${JSON.stringify(given)}`, () => {
      assert.deepEqual(readSelector(given, context), { ok: { type, value, ...UNCLASSIFIED } });
    });
  }

  const refused: readonly (readonly [given: unknown, places: readonly string[]])[] = [
    [1, ['']],
    [[], ['']],
    [{}, ['type', 'value']],
    [{ type: 1, value: 2, sources: [3] }, ['type', 'value', 'sources.[0]']],
    [{ type: 'ipv4', value: 'x', sources: 'alpha' }, ['sources']],
    [{ type: 'ipv4', value: 'x', classification: 5 }, ['classification']],
    [{ type: 'ipv4', value: 'x', classification: 'WHAT' }, ['classification']],
    [{ type: 'ip', value: 'nowhere' }, ['']],
    [{ type: 'telemetry', value: '{' }, ['']],
    [{ type: 't'.repeat(256), value: 'x' }, ['type']],
  ];
  for (const [given, places] of refused) {
    it(`refuses ${JSON.stringify(given).slice(0, 60)}`, () => {
      const reading = readSelector(given, context);
      assert.deepEqual('problems' in reading && reading.problems.map(({ at }) => at), places);
    });
  }

  it('takes classification and sources of the query where the selector has none', () => {
    const query = { engine, classification: 'RESTRICTED', sources: ['a'] };
    const own = { type: 'port', value: '1', classification: 'UNRESTRICTED', sources: ['b'] };
    assert.deepEqual(readSelector(own, query), { ok: own });
    for (const given of [{}, { classification: '', sources: null }, { classification: null }]) {
      const reading = readSelector({ type: 'port', value: '1', ...given }, query);
      assert.deepEqual(reading, { ok: { type: 'port', value: '1', classification: 'RESTRICTED', sources: ['a'] } });
    }
  });

  it('asks the rule of a type for the normalised value', () => {
    const refuseValue = (type: string, value: string) => (type === 'domain' ? `not ${value}` : undefined);
    assert.deepEqual(readSelector({ type: 'DOMAIN', value: 'A' }, { engine, refuseValue }), {
      problems: [{ at: '', reason: 'not a' }],
    });
    assert.ok('ok' in readSelector({ type: 'url', value: 'A' }, { engine, refuseValue }));
  });
});

describe('exceededValueLimit', () => {
  it('counts bytes, and more of them for telemetry', () => {
    assert.equal(exceededValueLimit('domain', 'a'.repeat(4_096)), undefined);
    assert.equal(exceededValueLimit('domain', 'a'.repeat(4_097)), 4_096);
    assert.equal(exceededValueLimit('domain', 'é'.repeat(2_049)), 4_096);
    assert.equal(exceededValueLimit('telemetry', 'a'.repeat(262_144)), undefined);
    assert.equal(exceededValueLimit('telemetry', 'a'.repeat(262_145)), 262_144);
  });
});
