import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isNewerVersion, isSameTriage, triageOf } from './alert.ts';

it('reads absent fields of a row as their defaults', () => {
  const { status, assignment, escalation } = triageOf({ howler: {} });
  assert.deepEqual([status, assignment, escalation], ['open', 'unassigned', 'hit']);
});

it('compares versions by term and sequence, and takes unknown ones as older', () => {
  assert.ok(isNewerVersion('10---1', '9---1'));
  assert.ok(!isNewerVersion('9---1', '10---1'));
  assert.ok(isNewerVersion('1---2', '10---1'));
  assert.ok(isNewerVersion('svc-hit---3---1', '2---1'));
  assert.ok(isNewerVersion('0---1', undefined));
  assert.ok(!isNewerVersion(undefined, '0---1'));
  assert.ok(!isNewerVersion('create', '0---1'));
  assert.ok(!isNewerVersion('3---1', '3---1'));
});

it('takes states as the same regardless of the moment of the verdict', () => {
  const open = triageOf({ howler: {} });
  assert.ok(isSameTriage(open, { ...open, triaged: '2026-01-01T00:00:00Z', rationale: '' }));
  assert.ok(!isSameTriage(open, { ...open, assignment: 'ana' }));
});
