import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { providerAnswer } from './provider-answer.ts';

describe('the answer of a provider', () => {
  it('has the arguments that a provider gives, and no others', () => {
    assert.deepEqual(providerAnswer('?code=a%20b&state=s&iss=https%3A%2F%2Fidp.example&session_state=x&user=admin'), {
      ...{ code: 'a b', state: 's', iss: 'https://idp.example' },
    });
    assert.deepEqual(providerAnswer('?error=access_denied&error_description=No.&state=s'), {
      ...{ state: 's', error: 'access_denied', error_description: 'No.' },
    });
    assert.deepEqual(providerAnswer(''), {});
  });
});
