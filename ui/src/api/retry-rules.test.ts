import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiProblem, type ProblemDetails } from './problem.ts';
import { secondsUntilRetry } from './retry-rules.ts';

const after = (details: ProblemDetails, isRead: boolean, count = 1) =>
  secondsUntilRetry(new ApiProblem('Refused.', details), { isRead, count });

describe('a refused request', () => {
  it('that reads waits for as long as the server asks, any number of times', () => {
    for (const status of [429, 503]) {
      assert.equal(after({ status, retryAfter: 7 }, true, 100), 7);
      assert.equal(after({ status, retryAfter: 0 }, true), 1, 'not at once');
    }
  });

  it('that reads is repeated four times where the server names no time', () => {
    const pauses = [1, 2, 3, 4, 5].map((count) => after({ status: 503 }, true, count));
    assert.deepEqual(pauses, [1, 2, 4, 8, undefined]);
  });

  it('is not repeated where waiting does not help', () => {
    assert.equal(after({ status: 503, code: 'search_timeout', retryAfter: 5 }, true), undefined);
    assert.equal(after({ status: 429, code: 'quota_exceeded', retryAfter: 61 }, true), undefined, 'too long');
    for (const status of [400, 401, 403, 404, 409, 412, 500, 501, 502, 504]) {
      assert.equal(after({ status, retryAfter: 1 }, true), undefined, String(status));
    }
  });

  it('that writes is repeated where it was refused before it began, a few times', () => {
    for (const status of [429, 503]) {
      const refused = { status, code: 'quota_exceeded', retryAfter: 1 };
      assert.deepEqual([after(refused, false), after(refused, false, 4), after(refused, false, 5)], [1, 1, undefined]);
    }
    assert.equal(after({ status: 429, code: 'quota_exceeded' }, false), undefined, 'no time is named');
    assert.equal(after({ status: 503, code: 'datastore_unavailable', retryAfter: 5 }, false), undefined);
    assert.equal(after({ status: 429, code: 'too_many_failed_logins', retryAfter: 5 }, false), undefined);
  });
});
