import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Alert } from '../../triage/alert.ts';
import { matchingFields, overviewFields, recordOf, templateFields, valuesOf } from './record-fields.ts';

const alert = {
  howler: { id: 'a', outline: { threat: 'evil.example', indicators: ['203.0.113.7', 'evil.example'] } },
  source: { ip: '203.0.113.7' },
  message: 'Beacon',
  __template: { keys: ['source.ip', 'absent.field'] },
  __overview: null,
} as unknown as Alert;

it('shows the fields of the template first, and each field once', () => {
  assert.deepEqual(
    templateFields(alert).map(({ field }) => field),
    ['source.ip'],
  );
  assert.deepEqual(
    overviewFields(alert).map(({ field }) => field),
    ['howler.outline.threat', 'howler.outline.indicators', 'message'],
  );
});

it('leaves out what the service added', () => {
  assert.deepEqual(Object.keys(recordOf(alert)), ['howler', 'source', 'message']);
});

it('finds fields by name and value, each typed word anywhere', () => {
  const fields = overviewFields(alert);
  assert.equal(matchingFields(fields, '').length, fields.length);
  assert.deepEqual(
    matchingFields(fields, 'OUTLINE evil').map(({ field }) => field),
    ['howler.outline.threat', 'howler.outline.indicators'],
  );
  assert.deepEqual(matchingFields(fields, 'nothing'), []);
  assert.deepEqual(valuesOf({ field: 'x', value: [1, { a: 2 }] }), ['1', '{"a":2}']);
});
