import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Alert } from '../../triage/alert.ts';
import { indicatorQueries, pivotQueries } from './related-queries.ts';

const alertWith = (parts: object) => ({ howler: { id: 'a"1' }, ...parts }) as unknown as Alert;
const label = { en: 'Address', fr: 'Adresse' };

it('asks for the values that a pivot passes on, and never for the alert itself', () => {
  const pivot = {
    label,
    mappings: [
      { key: 'ip', field: 'source.ip' },
      { key: 'x', field: 'absent' },
    ],
  };
  const alert = alertWith({ source: { ip: '203.0.113.7' }, __dossiers: [{ pivots: [pivot, pivot] }] });
  assert.deepEqual(pivotQueries(alert), [{ label, query: 'source.ip:("203.0.113.7") AND NOT howler.id:"a\\"1"' }]);
  assert.deepEqual(pivotQueries(alertWith({ __dossiers: [{ pivots: [pivot] }] })), []);
  // As the service answers dossiers without pivots, and pivots without arguments.
  assert.deepEqual(pivotQueries(alertWith({ __dossiers: [{}, { pivots: [{ label }] }] })), []);
});

it('asks for each indicator once, in fields that can hold it, and quotes what looks like syntax', () => {
  const alert = alertWith({
    howler: { id: 'a', outline: { indicators: ['203.0.113.7', 'x" OR *:*', 'y'.repeat(400)], threat: '203.0.113.7' } },
    related: { ip: ['203.0.113.7'] },
  });
  const queries = indicatorQueries(alert).map(({ query }) => query);
  assert.equal(queries.length, 2);
  for (const field of ['related.ip', 'source.ip', 'destination.ip', 'howler.outline.indicators']) {
    assert.ok(queries[0]?.includes(`${field}:"203.0.113.7"`), field);
  }
  assert.ok(!queries[0]?.includes('related.hash'));
  assert.ok(queries[1]?.includes('"x\\" OR *:*"') && !queries[1].includes('related.ip'));
});
