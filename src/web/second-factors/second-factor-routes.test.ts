import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { generate } from 'otplib';
import type { AuditEvent } from '../../identity/audit/audit-log.ts';
import { storedKey } from '../../testing/identity/open-test-identity.ts';
import { SoftwareAuthenticator } from '../../testing/identity/software-authenticator.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { WebBrowser } from '../../testing/web-browser.ts';

const PASSWORD = 'a long password of theirs';
const PATH = '/session/second-factors';

let program: TestProgram;
let name = '';
let users = 0;
const events: AuditEvent[] = [];
before(async () => {
  program = await startTestProgram({ onAudit: (event) => void events.push(event) });
});
after(() => program.close());
beforeEach(async () => {
  users += 1;
  name = `user${users}`;
  const { accounts, users: stored } = program.foundation;
  await accounts.create(name, { name, new_pass: PASSWORD, type: ['user'] });
  const apikeys = { all: storedKey('secret', ['R', 'W', 'E']), readonly: storedKey('secret', ['R']) };
  await stored.update(name, [{ op: 'set', path: 'apikeys', value: apikeys }]);
});

/** A browser with a session; that of an API key has not proved that its user is there. */
async function signedIn(json: object = { method: 'password', password: PASSWORD }) {
  const browser = new WebBrowser(program.urls.web);
  const opened = await signIn(browser, json);
  assert.equal(opened.status, 200, opened.text);
  const ask = (method: string, path: string, body?: unknown) =>
    browser.ask(`${PATH}${path}`, { method, ...(body === undefined ? {} : { json: body }) });
  return { browser, ask };
}

function signIn(browser: WebBrowser, json: object) {
  return browser.ask('/session', { method: 'POST', json: { user: name, ...json } });
}

type Ask = Awaited<ReturnType<typeof signedIn>>['ask'];

async function addKey(ask: Ask, keyName = 'Office') {
  const key = new SoftwareAuthenticator({ origin: 'http://localhost:8080' });
  const challenge = await ask('POST', '/security-keys/challenge');
  assert.equal(challenge.status, 200, challenge.text);
  const added = await ask('POST', '/security-keys', { name: keyName, answer: key.create(challenge.json) });
  return { key, added };
}

describe('the second factors of the user of a session', () => {
  it('are listed, added, renamed and removed; recovery codes are shown with the first one', async () => {
    const { ask } = await signedIn();
    const empty = await ask('GET', '');
    const { proved_until: until, ...rest } = empty.json;
    assert.ok(Date.parse(until) > Date.now());
    assert.deepEqual(rest, {
      one_time_passwords: false,
      security_keys: [],
      recovery_codes: 0,
      allowed: { one_time_passwords: true, security_keys: true },
      security_key_host: 'localhost',
    });
    const { added } = await addKey(ask);
    assert.equal(added.status, 200, added.text);
    assert.equal(added.json.recovery_codes.length, 10);

    const setup = await ask('POST', '/one-time-passwords');
    assert.match(setup.json.qr_code, /^<svg /);
    assert.ok(setup.json.address.includes(`secret=${setup.json.secret}`));
    assert.equal(setup.headers['cache-control'], 'no-store');
    assert.equal(
      (await ask('PUT', '/one-time-passwords', { code: '000000' })).json.error.code,
      'wrong_one_time_password',
    );
    const code = await generate({ secret: setup.json.secret });
    assert.deepEqual((await ask('PUT', '/one-time-passwords', { code })).json, { recovery_codes: null });

    assert.equal((await ask('PUT', '/security-keys/Office', { name: 'Clé de réserve' })).status, 204);
    const listed = (await ask('GET', '')).json;
    assert.deepEqual(
      [listed.one_time_passwords, listed.security_keys[0].name, listed.recovery_codes],
      [true, 'Clé de réserve', 10],
    );
    const renewed = (await ask('POST', '/recovery-codes')).json.recovery_codes;
    assert.ok(!renewed.includes(added.json.recovery_codes[0]));
    assert.equal((await ask('DELETE', '/one-time-passwords')).status, 204);
    assert.equal((await ask('DELETE', `/security-keys/${encodeURIComponent('Clé de réserve')}`)).status, 204);
    assert.equal((await ask('DELETE', '/security-keys/Office')).json.error.code, 'security_key_missing');
    assert.equal((await ask('GET', '')).json.recovery_codes, 0);
    assert.equal((await ask('POST', '/recovery-codes')).json.error.code, 'no_second_factor');
    const changed = events.filter(({ event, user }) => event === 'user_changed' && user === name);
    assert.equal(changed.length, 7);
    assert.ok(changed.every(({ service, address }) => service === 'web' && address !== undefined));
  });

  it('are asked for after the password, and each kind signs in', async () => {
    const { ask } = await signedIn();
    const { key, added } = await addKey(ask);
    const browser = new WebBrowser(program.urls.web);
    const password = { method: 'password', password: PASSWORD };
    const refused = await signIn(browser, { ...password, password: 'wrong' });
    assert.equal(refused.json.error.code, 'invalid_login');
    const asked = await signIn(browser, password);
    assert.equal(asked.status, 401);
    const { code, second_factors: kinds, challenge } = asked.json.error;
    assert.deepEqual([code, kinds], ['second_factor_required', ['security_key', 'recovery_code']]);
    const wrong = await signIn(browser, { ...password, webauthn_auth_resp: key.get(challenge, { counter: 0 }) });
    assert.equal(wrong.json.error.code, 'wrong_security_token');
    const again = (await signIn(browser, password)).json.error.challenge;
    assert.equal((await signIn(browser, { ...password, webauthn_auth_resp: key.get(again) })).status, 200);
    const [recoveryCode] = added.json.recovery_codes;
    assert.equal((await signIn(new WebBrowser(program.urls.web), { ...password, otp: recoveryCode })).status, 200);
    assert.equal((await signIn(new WebBrowser(program.urls.web), { ...password, otp: recoveryCode })).status, 401);
    const large = await signIn(browser, { ...password, webauthn_auth_resp: Array(500_000).fill(1) });
    assert.deepEqual([large.status, large.json.error.code], [413, 'body_too_large']);
  });

  it('are changed after a proof alone, by a password or by each kind of them', async () => {
    const { added, key } = await addKey((await signedIn()).ask);
    const proofs: readonly ((ask: Ask) => Promise<object>)[] = [
      async () => ({ password: PASSWORD }),
      async () => ({ otp: added.json.recovery_codes[0] }),
      async (ask) => ({ webauthn_auth_resp: key.get((await ask('POST', '/proof/challenge')).json) }),
    ];
    for (const proof of proofs) {
      const { ask } = await signedIn({ method: 'apikey', apikey: 'all:secret' });
      assert.equal((await ask('GET', '')).json.proved_until, null);
      for (const [method, path, body] of CHANGES) {
        const answer = await ask(method, path, body);
        assert.deepEqual([answer.status, answer.json.error.code], [403, 'proof_required'], `${method} ${path}`);
      }
      const proved = await ask('POST', '/proof', await proof(ask));
      assert.equal(proved.status, 200, proved.text);
      assert.equal((await ask('GET', '')).json.proved_until, proved.json.proved_until);
      assert.equal((await ask('POST', '/recovery-codes')).status, 200);
      const { recovery_codes: codes } = (await ask('POST', '/recovery-codes')).json;
      added.json.recovery_codes[0] = codes[0];
    }
  });

  it('are not proved by nothing, by a wrong password, or by a factor of another user', async () => {
    const mallory = name;
    const { key } = await addKey((await signedIn()).ask);
    users += 1;
    name = `user${users}`;
    await program.foundation.accounts.create(name, { name, new_pass: PASSWORD, type: ['user'] });
    const apikeys = { all: storedKey('secret', ['R', 'W', 'E']) };
    await program.foundation.users.update(name, [{ op: 'set', path: 'apikeys', value: apikeys }]);
    const { ask } = await signedIn({ method: 'apikey', apikey: 'all:secret' });
    const challenge = await ask('POST', '/proof/challenge');
    assert.equal(challenge.json.error.code, 'no_security_key');
    for (const [proof, code] of [
      [{}, 'proof_missing'],
      [{ password: '', otp: '' }, 'proof_missing'],
      [{ otp: '123456' }, 'proof_missing'],
      [{ webauthn_auth_resp: key.get({ challenge: 'AAAA', rpId: 'localhost' }) }, 'proof_missing'],
      [{ password: 'wrong' }, 'proof_refused'],
    ] as const) {
      assert.equal((await ask('POST', '/proof', proof)).json.error.code, code, JSON.stringify(proof));
    }
    assert.equal((await ask('POST', '/recovery-codes')).json.error.code, 'proof_required');
    const told = events.filter(({ event, user }) => event === 'credential_refused' && user === name);
    assert.deepEqual(
      told.map(({ method, code, service }) => [method, code, service]),
      [
        ['second_factor', 'proof_missing', 'web'],
        ['second_factor', 'proof_missing', 'web'],
        ['password', 'invalid_login', 'web'],
      ],
    );
    assert.notEqual(mallory, name);
    for (let number = 0; number < 5; number += 1) await ask('POST', '/proof', { password: 'wrong' });
    const locked = await ask('POST', '/proof', { password: PASSWORD });
    assert.deepEqual([locked.status, locked.json.error.code], [403, 'proof_refused']);
    assert.match(locked.json.error.message, /locked/);
  });

  it('are closed to strangers, to limited keys, to other origins, and beside this page', async () => {
    const stranger = new WebBrowser(program.urls.web);
    const { browser, ask } = await signedIn();
    const limited = await signedIn({ method: 'apikey', apikey: 'readonly:secret' });
    assert.equal((await limited.ask('GET', '')).status, 200);
    for (const [method, path, body] of [['GET', ''] as const, ...CHANGES]) {
      const sent = { method, ...(body === undefined ? {} : { json: body }) };
      assert.equal((await stranger.ask(`${PATH}${path}`, sent)).status, 401, path);
      if (method === 'GET') continue;
      assert.equal((await limited.ask(method, path, body)).json.error.code, 'privilege_not_held', path);
      const foreign = await browser.ask(`${PATH}${path}`, { ...sent, headers: { 'sec-fetch-site': 'cross-site' } });
      assert.equal(foreign.json.error.code, 'foreign_origin', path);
    }
    for (const [method, path] of [
      ['GET', 'auth/setup_otp/'],
      ['GET', 'auth/disable%5Fotp/'],
      ['GET', 'webauthn/remove/Office/'],
      ['POST', 'webauthn/register/begin/'],
    ] as const) {
      const answer = await browser.ask(`/services/analysis/api/v4/${path}`, { method });
      assert.equal(answer.status, 403, path);
      assert.match(answer.json.api_error_message, /session\/second-factors/);
    }
    for (const answer of [{}, 'x', Array(250_000).fill(1)]) {
      const refused = await ask('POST', '/security-keys', { name: 'x', answer });
      assert.equal(refused.json.error.code, 'invalid_security_key');
    }
  });
});

const CHANGES: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/one-time-passwords'],
  ['PUT', '/one-time-passwords', { code: '123456' }],
  ['DELETE', '/one-time-passwords'],
  ['POST', '/security-keys/challenge'],
  ['POST', '/security-keys', { name: 'x', answer: {} }],
  ['PUT', '/security-keys/Office', { name: 'x' }],
  ['DELETE', '/security-keys/Office'],
  ['POST', '/recovery-codes'],
];
