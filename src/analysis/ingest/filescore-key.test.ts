import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadClassification } from '../../classification/classification.ts';
import type { SubmissionParams } from '../../documents/kinds/analysis/submission.ts';
import { readParams } from '../submit/submission-params.ts';
import { filescoreKey } from './filescore-key.ts';

const classification = loadClassification().whenNotEnforced('unrestricted');
const params = (values: object = {}): SubmissionParams =>
  readParams({ submitter: 'user', description: 'x', ...values }, classification);

describe('filescoreKey', () => {
  it('gives the keys of the public system', () => {
    assert.equal(filescoreKey(params(), 'a'.repeat(64)), '6efbc6721714329233af19f137a603e1v0');
    const chosen = params({
      service_spec: { Svc: { b: 1, a: 'x' } },
      services: { selected: ['PE', 'Extract'], excluded: ['Z'] },
    });
    assert.equal(filescoreKey(chosen, 'b'.repeat(64)), 'daf8956882bb37fa1d9cc909680f1f58v0');
  });

  it('depends on what changes results, and on nothing else', () => {
    const key = filescoreKey(params(), 'a'.repeat(64));
    for (const other of [
      { deep_scan: true },
      { ignore_cache: true },
      { ignore_size: true },
      { max_extracted: 5 },
      { services: { selected: ['PE'] } },
      { service_spec: { Svc: { nested: { b: [1, null] } } } },
    ]) {
      assert.notEqual(filescoreKey(params(other), 'a'.repeat(64)), key, JSON.stringify(other));
    }
    assert.notEqual(filescoreKey(params(), 'b'.repeat(64)), key);
    for (const same of [{ priority: 5 }, { ttl: 3 }, { description: 'y' }, { submitter: 'other' }, { psid: 'x' }]) {
      assert.equal(filescoreKey(params(same), 'a'.repeat(64)), key, JSON.stringify(same));
    }
    const order = (selected: string[]) => filescoreKey(params({ services: { selected } }), 'a'.repeat(64));
    assert.equal(order(['B', 'A']), order(['A', 'B']));
  });
});
