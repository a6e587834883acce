import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readClaimRecord } from './claim-record.ts';

const RUNNING = {
  migration_id: 'm',
  status: 'running',
  started_at: '2026-01-02T03:04:05.000006Z',
  claim_id: '0123456789abcdef0123456789abcdef',
};
const APPLIED = { ...RUNNING, status: 'applied', applied_at: '2026-01-02T04:04:05+01:00', affected_documents: 0 };
const at = Date.parse('2026-01-02T03:04:05Z');

describe('readClaimRecord', () => {
  it('reads running and applied records, those of the public system too', () => {
    assert.deepEqual(readClaimRecord(RUNNING, 'm'), { status: 'running', startedAt: at, claimId: RUNNING.claim_id });
    assert.deepEqual(readClaimRecord(APPLIED, 'm'), {
      status: 'applied',
      startedAt: at,
      claimId: RUNNING.claim_id,
      appliedAt: at,
      affectedDocuments: 0,
    });
    const nulls = { ...RUNNING, claim_id: null, applied_at: null, affected_documents: null };
    assert.deepEqual(readClaimRecord(nulls, 'm'), { status: 'running', startedAt: at, claimId: undefined });
  });

  it('reads times with any zone', () => {
    for (const started_at of [
      '2026-01-02T03:04:05Z',
      '2026-01-02T03:04:05.123456+00:00',
      '2026-01-02 08:34:05.5+05:30',
      '2026-01-01T22:04:05-0500',
    ]) {
      const { startedAt } = readClaimRecord({ ...RUNNING, started_at }, 'm');
      assert.equal(Math.floor(startedAt / 1000), at / 1000, started_at);
    }
  });

  const malformed: readonly (readonly [string, unknown])[] = [
    ['no object', 'running'],
    ['null', null],
    ['a list', [RUNNING]],
    ['another identifier', { ...RUNNING, migration_id: 'n' }],
    ['no identifier', { ...RUNNING, migration_id: undefined }],
    ['no status', { ...RUNNING, status: undefined }],
    ['an unknown status', { ...RUNNING, status: 'failed' }],
    ['no start', { ...RUNNING, started_at: undefined }],
    ['a start without a zone', { ...RUNNING, started_at: '2026-01-02T03:04:05' }],
    ['a start without a time', { ...RUNNING, started_at: '2026-01-02' }],
    ['a start that is a number', { ...RUNNING, started_at: at }],
    ['a start that does not exist', { ...RUNNING, started_at: '2026-13-02T03:04:05Z' }],
    ['an empty claim', { ...RUNNING, claim_id: '' }],
    ['a claim that is a number', { ...RUNNING, claim_id: 7 }],
    ['running and applied_at', { ...RUNNING, applied_at: APPLIED.applied_at }],
    ['running and affected_documents', { ...RUNNING, affected_documents: 0 }],
    ['applied without applied_at', { ...APPLIED, applied_at: undefined }],
    ['applied with applied_at null', { ...APPLIED, applied_at: null }],
    ['applied_at without a zone', { ...APPLIED, applied_at: '2026-01-02T03:04:05' }],
    ['applied without affected_documents', { ...APPLIED, affected_documents: undefined }],
    ['a negative count', { ...APPLIED, affected_documents: -1 }],
    ['a broken count', { ...APPLIED, affected_documents: 1.5 }],
    ['a count that is a string', { ...APPLIED, affected_documents: '1' }],
    ['a count that is a boolean', { ...APPLIED, affected_documents: true }],
  ];
  for (const [what, stored] of malformed) {
    it(`refuses ${what}`, () => {
      assert.throws(() => readClaimRecord(stored, 'm'), { code: 'migration_record_malformed' });
    });
  }
});
