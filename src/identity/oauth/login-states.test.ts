import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Unavailable } from '../../errors/errors.ts';
import { LoginStates } from './login-states.ts';

it('a login through a provider says that it has to wait while coordination is gone, and not where that should be', async () => {
  const gone = async () => {
    throw new Unavailable('coordination_unavailable', 'Redis at redis://10.1.2.3 refuses connections.', {
      retryAfter: 5,
    });
  };
  const tokens = { get: gone, put: gone, take: gone, delete: gone } as unknown as ConstructorParameters<
    typeof LoginStates
  >[0]['tokens'];
  const states = new LoginStates({ tokens });
  const login = { provider: 'main', service: 'alerts', redirectAddress: 'https://triad.example.org/login' } as const;
  for (const trying of [
    () => states.begin(login, undefined, undefined),
    () => states.finish('state', { ...login, code: 'code', binding: undefined }),
  ]) {
    await assert.rejects(trying, (error: Unavailable) => {
      assert.deepEqual([error.code, error.retryAfter], ['provider_logins_unavailable', 5]);
      assert.doesNotMatch(error.message, /10\.1\.2\.3/);
      return true;
    });
  }
});
