import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HIT_ESCALATIONS } from '../../../../../src/documents/kinds/hit.ts';
import { ASSESSMENTS, STATUSES } from '../../../../../src/documents/kinds/record-parts.ts';
import {
  assessmentAppearance,
  escalationAppearance,
  SEVERITIES,
  severityOf,
  severityOfNumber,
  statusAppearance,
} from './severity.ts';

it('knows every value of the alert service', () => {
  for (const name of ASSESSMENTS) assert.ok(assessmentAppearance(name), name);
  for (const name of STATUSES) assert.ok(statusAppearance(name), name);
  for (const name of HIT_ESCALATIONS) assert.ok(escalationAppearance(name), name);
});

it('tells values apart without colour', () => {
  const severities = Object.values(SEVERITIES);
  assert.equal(new Set(severities.map(({ shape }) => shape)).size, severities.length);
  assert.equal(new Set(STATUSES.map((name) => statusAppearance(name)?.shape)).size, STATUSES.length);
  assert.equal(new Set(HIT_ESCALATIONS.map((name) => escalationAppearance(name)?.shape)).size, HIT_ESCALATIONS.length);
});

it('has no appearance for values of a later version', () => {
  for (const name of ['', 'later', 'constructor', '__proto__', 'toString']) {
    assert.equal(assessmentAppearance(name), undefined);
    assert.equal(statusAppearance(name), undefined);
    assert.equal(escalationAppearance(name), undefined);
  }
});

it('reads scales of 1, 10 and 100', () => {
  const cases = [
    [0.95, 'critical'],
    [9, 'critical'],
    [10, 'critical'],
    [7, 'high'],
    [4, 'medium'],
    [3, 'low'],
    [95, 'critical'],
    [73, 'high'],
    [47, 'medium'],
    [21, 'low'],
    [0, 'none'],
    [-1, 'none'],
    [Number.NaN, 'none'],
    [Number.POSITIVE_INFINITY, 'critical'],
  ] as const;
  for (const [value, severity] of cases) assert.equal(severityOfNumber(value), severity, String(value));
});

it('asks the fields of an alert in their order', () => {
  assert.equal(severityOf({ event: { severity: 9 }, howler: { score: 10, escalation: 'hit' } }), 'critical');
  assert.equal(severityOf({ event: {}, howler: { score: 75, escalation: 'hit' } }), 'high');
  assert.equal(severityOf({ event: null, howler: { score: 0, escalation: 'alert' } }), 'high');
  assert.equal(severityOf({}), 'none');
});
