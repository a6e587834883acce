import assert from 'node:assert/strict';
import { it } from 'node:test';
import { timelineFilters } from './timeline-query.ts';

it('narrows the timeline by escalation, and by tactics and techniques alike', () => {
  assert.deepEqual(timelineFilters({ escalation: undefined, attack: undefined }), []);
  assert.deepEqual(timelineFilters({ escalation: 'alert', attack: 'TA0001 "x"' }), [
    'howler.escalation:("alert")',
    'threat.tactic.id:("TA0001 \\"x\\"") OR threat.technique.id:("TA0001 \\"x\\"")',
  ]);
});
