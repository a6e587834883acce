import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startIdentityProvider } from '../../src/testing/identity/identity-provider.ts';
import { startTestProgram } from '../../src/testing/start-test-program.ts';
import { pythonWith, runPython } from './python-clients.ts';

const JOURNEY = join(import.meta.dirname, 'sign_in_journey.py');

describe('howler-client and assemblyline-client', async () => {
  const environment = await pythonWith(join(import.meta.dirname, 'requirements.txt'), 'clients');
  if ('reason' in environment) {
    it('sign in: not run', { skip: environment.reason });
    return;
  }
  it('sign in by key, password, session and token, also in the name of a user', async () => {
    const source = await readFile(JOURNEY, 'utf8');
    const steps = [...source.matchAll(/^@step\ndef (\w+)/gm)].map((match) => `ok ${match[1]}`);
    assert.ok(steps.length >= 12);
    await using provider = await startIdentityProvider();
    const program = await startTestProgram({
      settings: { 'auth.oauth.enabled': true, 'auth.oauth.providers': { local: provider.settings() } },
    });
    try {
      const alertsToken = await provider.accessToken('hopper', 'alerts');
      const who = await program.request('/api/v1/user/whoami', { bearer: alertsToken });
      assert.equal(who.status, 200, who.text);
      const person: string = who.json.api_response.username;
      const onBehalfOf = await program.foundation.alertsExchange.exchange(alertsToken, 'analysis', person);
      assert.ok(onBehalfOf, 'the token was not exchanged');
      await program.foundation.users.update('admin', [{ op: 'set', path: 'can_impersonate', value: true }]);
      const input = JSON.stringify({
        ...program.urls,
        person,
        alerts_token: alertsToken,
        analysis_token: await provider.accessToken('hopper', 'analysis'),
        enrichment_token: await provider.accessToken('hopper', 'enrichment'),
        on_behalf_of_token: onBehalfOf,
      });
      assert.deepEqual(await runPython(environment.python, [JOURNEY], { input }), steps);
    } finally {
      await program.close();
    }
  });
});
