import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Unauthenticated } from '../../errors/errors.ts';
import { auditRefusal } from './audit-log.ts';

it('a refusal is logged under its request with the reason that the caller is not told', () => {
  const logged: object[] = [];
  const error = new Unauthenticated('invalid_token', 'No good.', { cause: new Error('unexpected "aud" claim value') });
  const event = { event: 'credential_refused', service: 'alerts', requestId: 'one', address: '192.0.2.1' } as const;
  const told: object[] = [];
  auditRefusal(
    { log: { warn: (entry) => logged.push(entry) }, audit: { write: (one) => told.push(one) } },
    error,
    event,
  );
  const where = { requestId: 'one', address: '192.0.2.1' };
  assert.deepEqual(logged, [{ code: 'invalid_token', ...where, reason: 'unexpected "aud" claim value' }]);
  assert.deepEqual(told, [{ ...event, code: 'invalid_token' }]);
});
