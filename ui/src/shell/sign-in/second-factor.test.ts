import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiProblem } from '../../api/problem.ts';
import { askedFactorsOf, isHostOfKeys } from './second-factor.ts';

function refusal(code: string, details: Record<string, unknown>): ApiProblem {
  return new ApiProblem('refused', { status: 401, code, details });
}

describe('askedFactorsOf', () => {
  it('reads kinds, challenge and ticket', () => {
    const challenge = { challenge: 'AAAA', rpId: 'localhost' };
    const kinds = ['security_key', 'one_time_password', 'recovery_code'];
    assert.deepEqual(askedFactorsOf(refusal('second_factor_required', { second_factors: kinds, challenge })), {
      code: 'one_time_password',
      challenge,
      ticket: undefined,
    });
    const ofProvider = { second_factors: ['recovery_code'], user: 'ada', ticket: 'x' };
    assert.deepEqual(askedFactorsOf(refusal('second_factor_required', ofProvider)), {
      code: 'recovery_code',
      challenge: undefined,
      ticket: { user: 'ada', ticket: 'x' },
    });
  });

  it('is undefined for other refusals, and survives an answer of another form', () => {
    assert.equal(askedFactorsOf(refusal('wrong_security_token', { second_factors: ['security_key'] })), undefined);
    assert.equal(askedFactorsOf(new Error('x')), undefined);
    for (const second_factors of [undefined, null, 'security_key', {}]) {
      const asked = askedFactorsOf(refusal('second_factor_required', { second_factors, challenge: 7 }));
      assert.deepEqual(asked, { code: undefined, challenge: undefined, ticket: undefined });
    }
  });
});

describe('isHostOfKeys', () => {
  it('is true for the name and the names below it', () => {
    assert.equal(isHostOfKeys('triad.example', 'triad.example'), true);
    assert.equal(isHostOfKeys('triad.example', 'ui.triad.example'), true);
    assert.equal(isHostOfKeys('triad.example', 'xtriad.example'), false);
    assert.equal(isHostOfKeys('localhost', '127.0.0.1'), false);
  });
});
