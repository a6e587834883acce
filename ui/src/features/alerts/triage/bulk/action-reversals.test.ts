import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Alert } from '../alert.ts';
import { changedFields, reversalsOf } from './action-reversals.ts';

const alertOf = (howler: object, more: object = {}) =>
  ({ howler: { id: 'a', ...howler }, ...more }) as unknown as Alert;
const operation = (operation_id: string, data: object) => ({ operation_id, data_json: JSON.stringify(data) });

describe('what takes a run of an action back', () => {
  it('names the fields that operations write', () => {
    const operations = [
      operation('change_field', { field: 'event.severity', value: 3 }),
      operation('change_field', { field: 'howler.escalation', value: 'hit' }),
      operation('add_label', { category: 'generic', label: 'vpn' }),
    ];
    assert.deepEqual(changedFields(operations), ['event.severity']);
    assert.deepEqual(changedFields([operation('prioritization', { field: 'volume' })]), ['howler.volume']);
    assert.deepEqual(changedFields([{ operation_id: 'prioritization', data_json: '' }]), ['howler.score']);
  });

  it('finds triage, labels and fields that differ', () => {
    const before = alertOf({ status: 'open', labels: { generic: ['old'] } }, { event: { severity: 1 } });
    const after = alertOf({ status: 'resolved', labels: { generic: ['vpn'], threat: ['x'] } }, { event: {} });
    const found = reversalsOf(before, after, ['event.severity', 'message']);
    assert.deepEqual(
      found.map(({ kind }) => kind),
      ['restore', 'label', 'label', 'fields'],
    );
    assert.deepEqual(found[1], { kind: 'label', set: 'generic', add: ['old'], remove: ['vpn'] });
    assert.deepEqual(found[3], {
      kind: 'fields',
      before: { 'event.severity': 1 },
      after: { 'event.severity': null },
    });
  });

  it('finds nothing in an alert that stayed as it was', () => {
    assert.deepEqual(reversalsOf(alertOf({ labels: { generic: [] } }), alertOf({}), ['message']), []);
  });
});
