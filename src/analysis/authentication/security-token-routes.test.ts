import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { generate } from 'otplib';
import { CookieJar } from '../../testing/identity/cookie-jar.ts';
import { asBytes, optionsOfBytes, SoftwareAuthenticator } from '../../testing/identity/software-authenticator.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

const PASSWORD = 'anna has a long password';
const BROWSER = { 'user-agent': 'browser' };
const BASE = '/api/v4/webauthn';

describe('security tokens', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram();
    const { accounts } = program.foundation;
    for (const name of ['anna', 'bert', 'cleo']) {
      await accounts.create(name, { name, new_pass: PASSWORD, type: ['user'] });
    }
  });
  after(() => program.close());

  const login = (json: object) =>
    program.request('/api/v4/auth/login/', {
      ...{ service: 'analysis', method: 'POST', headers: BROWSER },
      json: { user: 'anna', password: PASSWORD, otp: '', webauthn_auth_resp: null, ...json },
    });

  async function inSession(credential: object = {}) {
    const answer = await login(credential);
    assert.equal(answer.status, 200, answer.text);
    const headers = { ...new CookieJar(answer).sessionHeaders, ...BROWSER };
    const ask = (method: string, path: string, json?: unknown) =>
      program.request(path, { service: 'analysis', method, headers, ...(json === undefined ? {} : { json }) });
    return { get: (path: string) => ask('GET', path), post: (path: string, json?: unknown) => ask('POST', path, json) };
  }

  it('are registered beside one-time passwords, sign in, and are removed, as pages of the public system do it', async () => {
    const { get, post } = await inSession();
    const early = await post(`${BASE}/register/begin/`);
    assert.deepEqual(
      [early.status, early.json.api_error_message],
      [403, 'OTP must be setup before adding security tokens'],
    );
    const { secret_key: secret } = (await get('/api/v4/auth/setup_otp/')).json.api_response;
    await get(`/api/v4/auth/validate_otp/${await generate({ secret })}/`);

    const begun = await post(`${BASE}/register/begin/`);
    assert.equal(begun.status, 200, begun.text);
    const creation = optionsOfBytes<PublicKeyCredentialCreationOptionsJSON>(begun.json.api_response);
    assert.deepEqual(creation.rp, { id: 'localhost', name: 'Triad' });
    assert.deepEqual(
      creation.pubKeyCredParams.map(({ alg }) => alg),
      [-8, -7, -257],
    );
    assert.equal(creation.user.name, 'anna');
    const key = new SoftwareAuthenticator();
    const answer = asBytes(key.create(creation));
    const completed = await post(`${BASE}/register/complete/my key/`, answer);
    assert.deepEqual([completed.status, completed.json.api_response], [200, { success: true }], completed.text);
    const replayed = await post(`${BASE}/register/complete/again/`, answer);
    assert.deepEqual([replayed.status, replayed.json.api_response], [400, { success: false }]);
    const shown = (await get('/api/v4/user/anna/')).json.api_response;
    assert.deepEqual([shown.security_tokens, shown.security_token_enabled], [['my key'], true]);
    const stored = (await program.foundation.users.get('anna'))?.security_tokens?.['my key'] ?? '';
    assert.ok(!(await get('/api/v4/user/whoami/')).text.includes(stored));

    const asked = await login({});
    assert.deepEqual([asked.status, asked.json.api_error_message], [401, 'Wrong Security Token']);
    const challenge = await program.request(`${BASE}/authenticate/begin/anna/`, { service: 'analysis' });
    assert.equal(challenge.status, 200, challenge.text);
    const options = optionsOfBytes<PublicKeyCredentialRequestOptionsJSON>(challenge.json.api_response);
    assert.deepEqual(
      options.allowCredentials?.map(({ id, type }) => [id, type]),
      [[key.id, 'public-key']],
    );
    const assertion = asBytes(key.get(options));
    const again = await inSession({ webauthn_auth_resp: assertion });
    assert.equal((await login({ webauthn_auth_resp: assertion })).json.api_error_message, 'Wrong Security Token');

    assert.deepEqual((await again.get(`${BASE}/remove/unknown/`)).json.api_response, { success: true });
    assert.deepEqual((await again.get(`${BASE}/remove/my key/`)).json.api_response, { success: true });
    assert.equal((await login({})).json.api_error_message, 'Wrong OTP token');

    const { factorAccounts } = program.foundation.analysisIdentity;
    const codes = await factorAccounts.renewRecoveryCodes('anna', { service: 'analysis' });
    const headers = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };
    const reset = await program.request('/api/v4/auth/unset_otp/anna/', { service: 'analysis', headers });
    assert.equal(reset.status, 200, reset.text);
    assert.equal((await login({})).status, 200, 'an administrator resets a lost second factor');
    assert.deepEqual((await program.foundation.users.get('anna'))?.recovery_codes ?? [], []);
    assert.equal(codes.length, 10);
  });

  it('tell a stranger neither who exists nor which keys there are', async () => {
    const { users } = program.foundation;
    await users.update('bert', [{ op: 'set', path: 'security_tokens', value: { yubi: 'x' } }]);
    for (const name of ['bert', 'admin', 'unknown', '__proto__', 'x'.repeat(2000)]) {
      const answer = await program.request(`${BASE}/authenticate/begin/${name}/`, { service: 'analysis' });
      assert.deepEqual([answer.status, answer.json.api_error_message], [400, 'Bad Request'], name);
      assert.deepEqual(answer.json.api_response, { success: false });
    }
  });

  it('are changed by users themselves alone, with a credential of full scope', async () => {
    for (const [method, path] of [
      ['POST', 'register/begin/'],
      ['POST', 'register/complete/x/'],
      ['GET', 'remove/x/'],
    ] as const) {
      const ask = (headers: Record<string, string>) =>
        program.request(`${BASE}/${path}`, {
          service: 'analysis',
          method,
          headers,
          ...(method === 'POST' ? { json: [] } : {}),
        });
      assert.equal((await ask({})).status, 401, path);
      const limited = await ask({ 'x-user': 'admin', 'x-apikey': 'readonly:admin' });
      assert.equal(limited.status, 403, path);
    }
  });

  it('refuse bodies that are no answer, at any size', async () => {
    const { post } = await inSession({ user: 'cleo' });
    for (const json of [{}, [], [-1], 'x', 7, Array(250_000).fill(1), [Array(9).fill([])]]) {
      const answer = await post(`${BASE}/register/complete/x/`, json);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.json.api_error_message, /^The answer of the security key cannot be used: .+\.$/);
    }
    const large = await login({ webauthn_auth_resp: Array(600_000).fill(1) });
    assert.ok(large.status === 401 || large.status === 413, large.text);
  });
});
