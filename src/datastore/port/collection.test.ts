import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { throwBulkFailure } from './collection.ts';

const failed = (code: string) => ({ ok: false, id: 'a', code, message: `it was ${code}` }) as const;
const done = { ok: true, id: 'b', version: '1---1' } as const;

describe('throwBulkFailure', () => {
  it('throws the first failure', () => {
    assert.throws(() => throwBulkFailure([done, failed('already_exists'), failed('write_blocked')]), {
      kind: 'conflict',
      code: 'already_exists',
      message: 'it was already_exists',
    });
    assert.throws(() => throwBulkFailure([done, failed('write_blocked')]), { kind: 'unavailable' });
    assert.throws(() => throwBulkFailure([failed('document_too_large')]), { kind: 'too_large' });
    assert.throws(() => throwBulkFailure([failed('invalid_update')]), { kind: 'invalid_input' });
  });

  it('lets pass what is not a failure to the caller', () => {
    throwBulkFailure([done, failed('document_missing')], ['document_missing']);
    assert.throws(() => throwBulkFailure([failed('document_missing')]), { kind: 'not_found' });
  });
});
